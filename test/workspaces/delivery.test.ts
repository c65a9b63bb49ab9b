import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { CallReply, CallRequest } from '../../src/actors/port.ts';
import { unfinishedApply } from '../../src/core/history/applied-changes.ts';
import { owedDelivery } from '../../src/core/step/delivery.ts';
import type { DeliveryFinished } from '../../src/core/record/delivery-fact.ts';
import type { Fact } from '../../src/core/record/fact.ts';
import { Fault, isFault } from '../../src/core/model/fault.ts';
import { runId, type RunId } from '../../src/core/model/ids.ts';
import type { RunTerms } from '../../src/core/model/run-terms.ts';
import { filesText } from '../../src/cli/terminal/files-story.ts';
import { createEmbeddedHost } from '../../src/host/embedded/embedded-host.ts';
import { deliverRun, type DeliverRequest } from '../../src/app/results/deliver-run.ts';
import { discardRun } from '../../src/app/results/discard-run.ts';
import type { Session } from '../../src/app/runs/session.ts';
import type { Journal } from '../../src/journal/port.ts';
import type { Host } from '../../src/host/port.ts';
import type { RunConditions, World } from '../../src/host/world.ts';
import { build, end, expression, to, turn, work } from '../../src/host/testing/build-definition.ts';
import { dyingJournal } from '../../src/host/testing/dying-journal.ts';
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

/** The run, driven until its process dies after so many writes, then taken up by another one. */
async function killedAfter(appends: number, terms: RunTerms) {
  const journal = createMemoryJournal({ isAlive: (owner) => owner !== 'dead' });
  const bench = new FilesBench({ files: FILES, answer, journal });
  const dying = dyingJournal(journal, { afterAppends: appends });
  // Never shut down: a dead process does nothing more.
  const host = createEmbeddedHost({ ...bench.host().world, home: bench.home, journal: dying, owner: 'dead' });
  await start(host, bench.project, terms);
  await Promise.race([host.rest(RUN), dying.died]);
  return { bench, journal, writes: dying.writes(), isDead: dying.isDead() };
}

async function goOn(bench: FilesBench): Promise<void> {
  const second = bench.host({ home: bench.home, owner: 'alive' });
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

/** What `troupe deliver` needs of a session. */
const sessionOf = (bench: FilesBench, journal: Journal, owner: string): Session => {
  const world = { ...bench.host().world, home: bench.home, journal, owner };
  const store = { journal, home: bench.home };
  const host = createEmbeddedHost(world);
  return { host, world, store, wishes: {}, by: 'bob', caller: { folder: bench.project } } as unknown as Session;
};

async function askedAndKilled(appends: number) {
  const journal = createMemoryJournal({ isAlive: (owner) => owner !== 'dead' });
  const bench = new FilesBench({ files: FILES, answer, journal });
  const { host } = bench.host({ home: bench.home, owner: 'first' });
  await start(host, bench.project, {});
  await host.rest(RUN);
  await host.shutdown();
  const dying = dyingJournal(journal, { afterAppends: appends });
  const request = { to: { kind: 'apply' as const }, verify: 'test -e made.txt' };
  const { signal } = new AbortController();
  const delivered = deliverRun(sessionOf(bench, dying, 'dead'), RUN, { request, signal });
  await Promise.race([delivered, dying.died]);
  return { bench, writes: dying.writes() };
}

test('[R1] a delivery that a person asked for, killed after any record, is finished as asked by the next process', async () => {
  const whole = await askedAndKilled(Infinity);
  const kinds = (await whole.bench.facts(RUN)).map(({ kind }) => kind);
  expect(kinds.slice(kinds.indexOf('run.settled') + 1)).toEqual([
    'delivery.started',
    'project.changed',
    'project.changed',
    'delivery.finished',
  ]);
  for (let after = 1; after <= whole.writes; after += 1) {
    const { bench } = await askedAndKilled(after);
    await goOn(bench);
    const facts = await bench.facts(RUN);
    expect({ after, isApplied: isApplied(bench.project) }).toEqual({ after, isApplied: true });
    expect(kindsOf(facts, 'delivery.finished')).toMatchObject([{ how: 'applied', by: 'bob' }]);
    expect(unfinishedApply(await bench.journal.read(RUN))).toBe(null);
  }
}, 60_000);

test('[R1] while a result is delivered, no other process discards, delivers or resumes it', async () => {
  const { bench } = await askedAndKilled(0);
  const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow = sessionOf(
    bench,
    beforeApply(bench.journal, () => (reached.resolve(), gate.promise)),
    'first',
  );
  const { signal } = new AbortController();
  const delivered = deliverRun(slow, RUN, { request: { to: { kind: 'apply' } }, signal });
  await Promise.race([reached.promise, delivered]);
  const info = await bench.journal.run(RUN);
  if (info === undefined) throw new Error('The run is in the journal.');
  const other = sessionOf(bench, bench.journal, 'second');
  const busy = { code: 'RUN_BUSY' };
  for (const session of [slow, other]) {
    await expect(discardRun(session, info)).rejects.toMatchObject(busy);
    await expect(deliverRun(session, RUN, { request: {}, signal })).rejects.toMatchObject(busy);
    await expect(session.host.resume(RUN)).rejects.toMatchObject(busy);
  }
  gate.resolve();
  await delivered;
  expect(isApplied(bench.project)).toBe(true);
  await expect(discardRun(other, info)).rejects.toMatchObject({ code: 'RESULT_DELIVERED' });
  expect(kindsOf(await bench.facts(RUN), 'result.discarded')).toEqual([]);
}, 60_000);

/** The journal of a delivery that waits before the first file of the user changes. */
const beforeApply = (journal: Journal, wait: () => Promise<void>): Journal => ({
  ...dyingJournal(journal, { afterAppends: Infinity }),
  release: (lease) => journal.release(lease),
  append: async (lease, batch) => {
    if (batch.records.some(({ fact }) => fact.kind === 'project.changed')) await wait();
    await journal.append(lease, batch);
  },
});

test('[R1] a request that is refused before anything changes leaves no record', async () => {
  const { bench } = await askedAndKilled(0);
  const session = sessionOf(bench, bench.journal, 'alive');
  const { signal } = new AbortController();
  const deliver = async (request: DeliverRequest) => await deliverRun(session, RUN, { request, signal });
  const before = (await bench.facts(RUN)).length;
  await expect(deliver({ to: { kind: 'branch', name: 'x' }, ours: ['a'] })).rejects.toMatchObject({ code: 'USAGE' });
  const there = { kind: 'patch', file: 'a.txt' } as const;
  await expect(deliver({ to: there })).rejects.toMatchObject({ code: 'FILE_EXISTS' });
  expect(await bench.facts(RUN)).toHaveLength(before);
});

test('[R1] an apply that died halfway is unfinished in the journal, and resuming finishes it as one change', async () => {
  const whole = await killedAfter(Infinity, APPLY);
  // The last record that is written is the intent: its files may be there by half.
  const { bench, journal } = await killedAfter(whole.writes - 2, APPLY);
  await new Promise((resolve) => setImmediate(resolve));
  writeFileSync(join(bench.project, 'a.txt'), 'a\n');
  const open = unfinishedApply(await journal.read(RUN));
  expect(open).toMatchObject({ change: { isBeginning: true } });
  const lines = (await bench.facts(RUN)).map(filesText).join('\n');
  expect(lines).toContain('ada begins to put the changes into the project');
  expect(lines).not.toMatch(/ada put the changes into|is in the project/);
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
    look: (request) => workspaces.look(request),
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

test('[R1] a patch that was not written before the kill is announced by no record, and the next process writes it', async () => {
  const { bench } = await killedAfter((await killedAfter(Infinity, OWN)).writes - 1, OWN);
  const lines = (await bench.facts(RUN)).map(filesText).join('\n');
  expect(lines).toContain('delivers the result');
  expect(lines).not.toContain('waits in the patch');
  await goOn(bench);
  const [finished] = kindsOf(await bench.facts(RUN), 'delivery.finished');
  expect(finished).toMatchObject({ how: 'patch' });
  expect(readFileSync(String((finished as DeliveryFinished).where), 'utf8')).toContain('made.txt');
});

const OWN: RunTerms = { delivery: { to: { kind: 'own' }, by: 'ada' } };

/** Writes a file that steers a program, and another one. */
function answerSteering({ messages }: CallRequest): CallReply {
  const results = messages.filter(({ role }) => role === 'tool').length;
  if (results === 0) return uses('write_file', { path: '.npmrc', content: 'x\n' }, 'w1');
  return results === 1 ? answerMade : says('Written.');
}

const answerMade = uses('write_file', { path: 'made.txt', content: 'made\n' }, 'w2');

test('[R1] [PD7] a run allows files that steer programs, and copies its files, as it was asked when it started', async () => {
  const bench = new FilesBench({ files: FILES, answer: answerSteering });
  const copyTo = join(bench.home, 'copied');
  const { host } = bench.host();
  await start(host, bench.project, {
    delivery: { to: { kind: 'apply' }, allowsSteering: true, copyTo, by: 'ada' },
  });
  await host.rest(RUN);
  const places = [bench.project, copyTo].flatMap((folder) => [join(folder, '.npmrc'), join(folder, 'made.txt')]);
  expect(places.map((path) => existsSync(path))).toEqual([true, true, true, true]);
  expect((await host.snapshot(RUN)).handed).toBe(null);
});

test('[PD7] after an apply that held files back, journal and logs say which were applied and which not', async () => {
  const bench = new FilesBench({ files: FILES, answer: answerSteering });
  const { host } = bench.host();
  await start(host, bench.project, { delivery: { to: { kind: 'apply' }, by: 'ada' } });
  await host.rest(RUN);
  expect([existsSync(join(bench.project, '.npmrc')), existsSync(join(bench.project, 'made.txt'))]).toEqual([
    false,
    true,
  ]);
  const [finished] = kindsOf(await bench.facts(RUN), 'delivery.finished');
  expect(finished).toMatchObject({ how: 'applied', held: ['.npmrc'], report: { changes: [{ path: 'made.txt' }] } });
  if (finished === undefined) throw new Error('It was not delivered.');
  expect(filesText(finished)).toBe('the result is in the project, without 1 file that steer your programs: .npmrc');
  expect((await host.snapshot(RUN)).handed).toMatchObject({ how: 'applied', held: ['.npmrc'] });
});

test('[L4] what fails its check is copied nowhere', async () => {
  const bench = new FilesBench({ files: FILES, answer });
  const copyTo = join(bench.home, 'copied');
  const { host } = bench.host({ home: bench.home });
  await start(host, bench.project, { delivery: { to: { kind: 'own' }, verify: 'exit 7', copyTo, by: 'ada' } });
  await host.rest(RUN);
  expect(existsSync(copyTo)).toBe(false);
});

/** Asks, then writes. */
const asking = build({
  roles: { worker: {} },
  states: [
    work('start', { kind: 'ask', question: expression("'Go on?'"), choices: [] }, [to('work')]),
    work('work', turn('worker', "'Write it'"), [to('done')]),
    end('done'),
  ],
});

test('[R1] [P12] where the sandbox of a run does not work, taking it up is refused and its question stays open', async () => {
  const bench = new FilesBench({ files: FILES, answer });
  const one = bench.host({ owner: 'one' }).host;
  const terms: RunTerms = { sandbox: 'bubblewrap' };
  await one.start({ definition: asking, input: {}, project: bench.project, run: RUN, terms });
  await one.rest(RUN);
  await one.shutdown();
  const before = await bench.facts(RUN);
  const under = async ({ sandbox }: RunConditions): Promise<World> => {
    if (sandbox === null) throw new Error('The sandbox of the run is forgotten.');
    throw new Fault('SANDBOX_UNAVAILABLE', `${sandbox} does not work here.`);
  };
  const { host } = bench.host({ owner: 'two', under });
  await expect(host.resume(RUN)).rejects.toMatchObject({ code: 'SANDBOX_UNAVAILABLE' });
  expect(await bench.facts(RUN)).toEqual(before);
  const again = bench.host({ owner: 'three' }).host;
  await again.resume(RUN);
  expect((await again.rest(RUN)).questions).toHaveLength(1);
});

test('[R1] terms that another process sends to a running run are a record, and its driver keeps them', async () => {
  const bench = new FilesBench({ files: FILES, answer });
  const one = bench.host({ owner: 'one' }).host;
  await one.start({ definition: asking, input: {}, project: bench.project, run: RUN, terms: OWN });
  await one.rest(RUN);
  const other = bench.host({ owner: 'other' }).host;
  await other.changeTerms(RUN, APPLY, 'bob');
  await other.answer(RUN, { answer: 'yes', by: 'bob' });
  await vi.waitFor(async () => expect((await other.snapshot(RUN)).delivery?.status).toBe('finished'), 20_000);
  expect(kindsOf(await bench.facts(RUN), 'terms.changed')).toEqual([
    { kind: 'terms.changed', terms: APPLY, by: 'bob' },
  ]);
  expect(isApplied(bench.project)).toBe(true);
  await expect(other.changeTerms(RUN, OWN, 'bob')).rejects.toMatchObject({ code: 'RUN_SETTLED' });
});

/** A command state after the work, whose failure still leads to a good end. */
const checkedBy = (command: string) =>
  build({
    roles: { worker: {} },
    states: [
      work('start', turn('worker', "'Write it'"), [to('check')]),
      work('check', { kind: 'command', command: expression(JSON.stringify(command)), okExitCodes: [0] }, [to('done')], {
        on: { failed: [to('done')] },
      }),
      end('done'),
    ],
  });

test('[L4] files on which the last command state failed are not handed over, and a check of the user settles that', async () => {
  const bench = new FilesBench({ files: FILES, answer });
  const { host } = bench.host({ home: bench.home });
  const settled = async (command: string, run: RunId, terms: RunTerms) => {
    await host.start({ definition: checkedBy(command), input: {}, project: bench.project, run, terms });
    await host.rest(run);
    return (await host.snapshot(run)).delivery;
  };
  const apply: RunTerms = { delivery: { to: { kind: 'apply' }, by: 'ada' } };
  expect(await settled('test -e missing.txt', runId('red'), apply)).toMatchObject({
    status: 'failed',
    fact: { failure: { code: 'RESULT_NOT_VERIFIED', message: expect.stringContaining('`test -e missing.txt`') } },
  });
  expect(existsSync(join(bench.project, 'made.txt'))).toBe(false);
  expect(await settled('test -e made.txt', runId('green'), OWN)).toMatchObject({ fact: { how: 'patch' } });
  expect(await settled('test -e missing.txt', runId('checked'), APPLY)).toMatchObject({ fact: { how: 'applied' } });
});
