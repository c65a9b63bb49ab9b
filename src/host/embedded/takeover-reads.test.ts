import { expect, test } from 'vitest';
import type { RunId } from '../../core/model/ids.ts';
import { createMemoryJournal } from '../../journal/memory/memory-journal.ts';
import type { Journal } from '../../journal/port.ts';
import type { World } from '../world.ts';
import { build, each, end, to, turn, work } from '../testing/build-definition.ts';
import { testWorld } from '../testing/test-world.ts';
import { untilStopped } from '../testing/until-stopped.ts';
import { createEmbeddedHost } from './embedded-host.ts';
import { patientJournal } from './patient-journal.ts';
import { TakeoverReads } from './takeover-reads.ts';

const leaf = build({
  name: 'leaf',
  states: [work('code', turn('coder', "'go'"), [to('stop')]), end('stop', "'done'")],
}).workflow;

/** A run with two units, all of them left in the middle of a call. */
async function leftRun(journal: Journal) {
  const called = Promise.withResolvers<void>();
  const { answer } = untilStopped();
  let calls = 0;
  const world = testWorld({
    journal,
    answer: (request, signal) => {
      calls += 1;
      if (calls === 2) called.resolve();
      return answer(request, signal);
    },
  });
  const host = createEmbeddedHost(world);
  const jobs = each("['1', '2']", { kind: 'call', workflow: 'leaf', workspace: 'own', input: {} }, 2);
  const states = [work('jobs', jobs, [to('stop')]), end('stop', "'done'")];
  const run = await host.start({ definition: build({ library: { leaf }, states }), input: {}, project: '.' });
  await called.promise;
  await host.shutdown();
  return { run, world };
}

/** The runs and trees that are read from their beginning while a run is resumed. */
async function readOnResume(journal: Journal, world: World, run: RunId): Promise<readonly string[]> {
  const read: string[] = [];
  const counting: Journal = {
    ...patientJournal(journal, world.clock),
    read: (one, after, limit) => {
      if (after === undefined) read.push(one);
      return journal.read(one, after, limit);
    },
    tree: (root, after, limit) => {
      if (after === undefined) read.push(`tree of ${root}`);
      return journal.tree(root, after, limit);
    },
  };
  const host = createEmbeddedHost({ ...world, journal: counting });
  await host.resume(run);
  const known = [...read];
  await host.shutdown();
  return known;
}

test('[L1] a run that is taken over is read from its beginning once, and so is each below it', async () => {
  const journal = createMemoryJournal();
  const { run, world } = await leftRun(journal);
  const units = (await journal.runs({ parent: run })).map((unit) => unit.run);
  const read = await readOnResume(journal, world, run);
  expect(units.length).toBe(2);
  expect(read.toSorted()).toEqual([run, ...units, `tree of ${run}`].toSorted());
});

test('[L1] of a run without others below it nothing is read twice', async () => {
  const journal = createMemoryJournal();
  const { answer } = untilStopped();
  const called = Promise.withResolvers<void>();
  const world = testWorld({
    journal,
    answer: (request, signal) => {
      called.resolve();
      return answer(request, signal);
    },
  });
  const host = createEmbeddedHost(world);
  const states = [work('code', turn('coder', "'go'"), [to('stop')]), end('stop')];
  const run = await host.start({ definition: build({ states }), input: {}, project: '.' });
  await called.promise;
  await host.shutdown();
  expect(await readOnResume(journal, world, run)).toEqual([run]);
});

test('[L1] records written meanwhile are seen, and read once for two concurrent callers', async () => {
  const journal = createMemoryJournal();
  const { run } = await leftRun(journal);
  const reads = new TakeoverReads(journal);
  const all = await journal.tree(run);
  await reads.during(run, async () => {
    expect(await Promise.all([reads.journal.tree(run), reads.journal.tree(run)])).toEqual([all, all]);
    const records = await reads.journal.read(run);
    expect(records.map(({ seq, fact }) => ({ seq, fact }))).toEqual(
      (await journal.read(run)).map(({ seq, fact }) => ({ seq, fact })),
    );
    const lease = await journal.lease(run, 'other');
    const fact = { kind: 'progress.noted', text: 'news' } as never;
    await journal.append(lease, { records: [{ seq: records.length + 1, at: 1, fact }] } as never);
    expect((await reads.journal.read(run)).at(-1)?.fact).toEqual(fact);
    expect((await reads.journal.tree(run)).length).toBe(all.length + 1);
    await expect(reads.journal.read(`${run}/none` as never)).rejects.toMatchObject({ code: 'RUN_UNKNOWN' });
  });
});
