import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CallReply, CallRequest } from '../../src/actors/port.ts';
import { unfinishedApply } from '../../src/core/applied-changes.ts';
import { owedDelivery } from '../../src/core/delivery.ts';
import type { Fact } from '../../src/core/fact.ts';
import { isFault } from '../../src/core/fault.ts';
import { runId } from '../../src/core/ids.ts';
import type { RunTerms } from '../../src/core/run-terms.ts';
import { createEmbeddedHost } from '../../src/host/embedded/embedded-host.ts';
import type { Host, RunConditions, World } from '../../src/host/port.ts';
import { build, end, to, turn, work } from '../../src/host/testing/build-definition.ts';
import { dyingJournal, type DyingJournal } from '../../src/host/testing/dying-journal.ts';
import { says } from '../../src/host/testing/test-world.ts';
import { createMemoryJournal } from '../../src/journal/memory/memory-journal.ts';
import { FilesBench, uses } from './bench.ts';

const RUN = runId('delivered');

const definition = build({
  roles: { worker: {} },
  states: [work('start', turn('worker', "'Write it'"), [to('done')]), end('done')],
});

const FILES = { 'a.txt': 'a\n', 'b.txt': 'b\n' };

/** Changes one file and makes another, in two calls, then is done. */
function answer({ messages }: CallRequest): CallReply {
  const results = messages.filter(({ role }) => role === 'tool').length;
  if (results === 0) return uses('write_file', { path: 'a.txt', content: 'A\n' }, 'w1');
  if (results === 1) return uses('write_file', { path: 'made.txt', content: 'made\n' }, 'w2');
  return says('Written.');
}

const APPLY: RunTerms = { delivery: { to: { kind: 'apply' }, verify: 'test -e made.txt', by: 'ada' } };

const start = (host: Host, project: string, terms: RunTerms) =>
  host.start({ definition, input: {}, project, run: RUN, terms });

const kindsOf = (facts: readonly Fact[], kind: Fact['kind']) => facts.filter((fact) => fact.kind === kind);

const isApplied = (project: string): boolean =>
  readFileSync(join(project, 'a.txt'), 'utf8') === 'A\n' && existsSync(join(project, 'made.txt'));

async function untilDead(journal: DyingJournal): Promise<void> {
  while (!journal.isDead()) await new Promise((resolve) => setImmediate(resolve));
}

/** The run, driven until its process dies after so many writes, then taken up by another one. */
async function killedAfter(appends: number, terms: RunTerms) {
  const journal = createMemoryJournal({ isAlive: (owner) => owner !== 'dead' });
  const bench = new FilesBench({ files: FILES, answer, journal });
  const dying = dyingJournal(journal, { afterAppends: appends });
  // Never shut down: a dead process does nothing more.
  const host = createEmbeddedHost({ ...bench.host().world, journal: dying, owner: 'dead' });
  await start(host, bench.project, terms);
  await Promise.race([host.rest(RUN), untilDead(dying)]);
  return { bench, journal, writes: dying.writes(), isDead: dying.isDead() };
}

async function goOn(bench: FilesBench): Promise<void> {
  const second = bench.host({ owner: 'alive' });
  try {
    await second.host.resume(RUN);
  } catch (error) {
    // Everything was done before it died.
    if (!isFault(error) || error.code !== 'RUN_SETTLED') throw error;
  }
  await second.host.rest(RUN);
}

test('[R1] killed after any record, a run is delivered by the next process: nothing lost, nothing applied twice', async () => {
  const whole = await killedAfter(Infinity, APPLY);
  expect(isApplied(whole.bench.project)).toBe(true);
  const kinds = (await whole.bench.facts(RUN)).map(({ kind }) => kind);
  expect(kinds.slice(kinds.indexOf('run.settled'))).toEqual([
    'run.settled',
    'delivery.started',
    'project.changed',
    'project.changed',
    'delivery.finished',
  ]);
  for (let after = whole.writes - 4; after <= whole.writes; after += 1) {
    const { bench } = await killedAfter(after, APPLY);
    await goOn(bench);
    const facts = await bench.facts(RUN);
    expect({ after, isApplied: isApplied(bench.project) }).toEqual({ after, isApplied: true });
    expect(kindsOf(facts, 'delivery.finished')).toMatchObject([{ how: 'applied' }]);
    const complete = kindsOf(facts, 'project.changed').filter((fact) => 'tree' in fact);
    expect({ after, complete: complete.length }).toEqual({ after, complete: 1 });
    expect(unfinishedApply(await bench.journal.read(RUN))).toBe(null);
  }
}, 60_000);

test('[R1] an apply that died halfway is unfinished in the journal, and resuming finishes it as one change', async () => {
  const whole = await killedAfter(Infinity, APPLY);
  // The last record that is written is the intent: its files may be there by half.
  const { bench, journal } = await killedAfter(whole.writes - 2, APPLY);
  await new Promise((resolve) => setImmediate(resolve));
  writeFileSync(join(bench.project, 'a.txt'), 'a\n');
  const open = unfinishedApply(await journal.read(RUN));
  expect(open).toMatchObject({ change: { isBeginning: true } });
  await goOn(bench);
  expect(isApplied(bench.project)).toBe(true);
  const [finished] = kindsOf(await bench.facts(RUN), 'delivery.finished');
  expect(finished).toMatchObject({ how: 'applied', report: { undoTo: (open?.seq ?? 0) - 1 } });
}, 60_000);

test('[R1] a full disk fails the delivery with DISK_FULL, and resuming delivers when there is room', async () => {
  const bench = new FilesBench({ files: FILES, answer });
  const disk = { isFull: false };
  const { workspaces } = bench.host().world;
  const full: World['workspaces'] = {
    keepsFiles: workspaces.keepsFiles,
    begin: async (project) => {
      if (disk.isFull) throw Object.assign(new Error('write failed'), { code: 'ENOSPC' });
      return await workspaces.begin(project);
    },
    open: (request) => workspaces.open(request),
    store: (project) => workspaces.store(project),
    folderOf: (root, name) => workspaces.folderOf(root, name),
    release: (root, name) => workspaces.release(root, name),
    close: () => workspaces.close(),
  };
  const one = bench.host({ workspaces: full }).host;
  const stop = one.onLive((event) => {
    if (event.kind === 'record' && event.record.fact.kind === 'call.answered') disk.isFull = true;
  });
  await start(one, bench.project, APPLY);
  expect(await one.rest(RUN)).toMatchObject({ status: 'settled', outcome: 'ok' });
  stop();
  const snapshot = await one.snapshot(RUN);
  expect(snapshot.delivery).toMatchObject({ status: 'failed', fact: { failure: { code: 'DISK_FULL' } } });
  expect(owedDelivery(snapshot)).not.toBe(null);
  expect(isApplied(bench.project)).toBe(false);
  disk.isFull = false;
  await one.resume(RUN);
  await one.rest(RUN);
  expect(isApplied(bench.project)).toBe(true);
  await expect(one.resume(RUN)).rejects.toMatchObject({ code: 'RUN_SETTLED' });
});

test('[R1] what does not pass its check is not applied, and that is an end of the delivery', async () => {
  const bench = new FilesBench({ files: FILES, answer });
  const { host } = bench.host();
  await start(host, bench.project, { delivery: { to: { kind: 'apply' }, verify: 'exit 7', by: 'ada' } });
  await host.rest(RUN);
  expect((await host.snapshot(RUN)).handed).toMatchObject({ how: 'not-verified', command: 'exit 7' });
  expect(isApplied(bench.project)).toBe(false);
  await expect(host.resume(RUN)).rejects.toMatchObject({ code: 'RUN_SETTLED' });
});

test('[R1] each run of a process works under its own sandbox and setup, whatever the process would choose', async () => {
  const bench = new FilesBench({ files: FILES, answer });
  const asked: RunConditions[] = [];
  const base = bench.host().world;
  const under = async (wanted: RunConditions): Promise<World> => {
    asked.push(wanted);
    return { ...base, sandbox: async () => wanted.sandbox ?? 'process' };
  };
  const { host } = bench.host({ under });
  const one = await host.start({ definition, input: {}, project: bench.project, terms: { sandbox: 'bubblewrap' } });
  const other = await host.start({
    definition,
    input: {},
    project: bench.project,
    terms: { sandbox: 'none', setup: false },
  });
  await Promise.all([host.rest(one), host.rest(other)]);
  expect((await host.snapshot(one)).sandbox).toBe('bubblewrap');
  expect((await host.snapshot(other)).sandbox).toBe('none');
  expect(asked).toEqual(
    expect.arrayContaining([
      { sandbox: 'bubblewrap', setup: true },
      { sandbox: 'none', setup: false },
    ]),
  );
});
