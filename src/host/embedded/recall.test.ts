import { expect, test } from 'vitest';
import { createMemoryJournal } from '../../journal/memory/memory-journal.ts';
import type { Journal } from '../../journal/port.ts';
import { build, each, end, to, turn, work } from '../testing/build-definition.ts';
import { testWorld } from '../testing/test-world.ts';
import { untilStopped } from '../testing/until-stopped.ts';
import { createEmbeddedHost } from './embedded-host.ts';
import { patientJournal } from './patient-journal.ts';
import { Recall } from './recall.ts';

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

test('[L1] a run that is taken over is read from its beginning once', async () => {
  const journal = createMemoryJournal();
  const { run, world } = await leftRun(journal);
  const read: string[] = [];
  const counting: Journal = {
    ...patientJournal(journal, world.clock),
    read: (one, after, limit) => {
      if (after === undefined) read.push(one);
      return journal.read(one, after, limit);
    },
    tree: (root, after, limit) => {
      if (after === undefined || after === 0) read.push(`tree of ${root}`);
      return journal.tree(root, after, limit);
    },
  };
  const host = createEmbeddedHost({ ...world, journal: counting });
  await host.resume(run);
  const known = [...read];
  await host.shutdown();
  expect(known.filter((one) => one.includes(run))).toEqual([`tree of ${run}`]);
});

test('[L1] what is written meanwhile is seen, and by two who ask at once only once', async () => {
  const journal = createMemoryJournal();
  const { run } = await leftRun(journal);
  const recall = new Recall(journal);
  const all = await journal.tree(run);
  await recall.during(run, async () => {
    expect(await Promise.all([recall.journal.tree(run), recall.journal.tree(run)])).toEqual([all, all]);
    const records = await recall.journal.read(run);
    expect(records.map(({ seq, fact }) => ({ seq, fact }))).toEqual(
      (await journal.read(run)).map(({ seq, fact }) => ({ seq, fact })),
    );
    const lease = await journal.lease(run, 'other');
    const fact = { kind: 'progress.noted', text: 'news' } as never;
    await journal.append(lease, { records: [{ seq: records.length + 1, at: 1, fact }] } as never);
    expect((await recall.journal.read(run)).at(-1)?.fact).toEqual(fact);
    expect((await recall.journal.tree(run)).length).toBe(all.length + 1);
    await expect(recall.journal.read(`${run}/none` as never)).rejects.toMatchObject({ code: 'RUN_UNKNOWN' });
  });
});
