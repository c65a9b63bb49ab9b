import { describe, expect, test } from 'vitest';
import { childRunId, taskId } from '../../core/model/ids.ts';
import type { Definition } from '../../core/model/definition.ts';
import { createMemoryJournal } from '../../journal/memory/memory-journal.ts';
import { build, end, expression, to, work } from '../testing/build-definition.ts';
import { says, testWorld } from '../testing/test-world.ts';
import { systemClock } from '../system-clock.ts';
import { createEmbeddedHost } from './embedded-host.ts';

/** Its child asks twice. */
function parent(): Definition {
  const ask = (question: string) => ({ kind: 'ask', question: expression(`'${question}'`), choices: [] }) as const;
  const child = build({
    name: 'child',
    states: [work('one', ask('First?'), [to('two')]), work('two', ask('Second?'), [to('stop')]), end('stop', "'done'")],
  });
  return build({
    states: [work('call', { kind: 'call', workflow: 'child', input: {} }, [to('stop')]), end('stop', "'over'")],
    library: { child: child.workflow },
  });
}

const HOUR = 3_600_000;

/** Moves on with each look at it. */
const ticking = (from: number) => {
  let now = from;
  return { ...systemClock, now: () => (now += 10) };
};

/**
 * A host takes the tree over after the first question, with a clock that differs by an hour, and gets as far as the second.
 * The cut is the parent's record of the takeover: the child had asked once by then, whatever the clocks say.
 */
async function takenOver(skewMs: number) {
  const journal = createMemoryJournal();
  const open = (from: number) =>
    createEmbeddedHost(testWorld({ journal, clock: ticking(from), answer: () => says('') }));
  const first = open(10 * HOUR);
  const run = await first.start({ definition: parent(), input: {}, project: '.' });
  await first.rest(run);
  await first.shutdown();
  const second = open(10 * HOUR + skewMs);
  await second.resume(run);
  await second.rest(run);
  await second.answer(run, { answer: 'red', by: 'ann' });
  expect(await second.rest(run)).toMatchObject({ questions: [{ text: 'Second?' }] });
  await second.shutdown();
  const child = childRunId(run, taskId('t1'));
  const cut = (await journal.read(run)).find(({ fact }) => fact.kind === 'run.resumed');
  if (cut === undefined) throw new Error('The takeover is on record.');
  const before = (await journal.read(child)).filter(({ commit }) => commit <= cut.commit);
  return { journal, open, run, child, cut, before };
}

describe.each([
  ['behind', -HOUR],
  ['ahead', HOUR],
])('a second host an hour %s', (_name, skewMs) => {
  test('[L9] a fork takes the records of a child committed before the cut, with their commit numbers', async () => {
    const { journal, open, run, cut, before } = await takenOver(skewMs);
    const host = open(10 * HOUR);
    const fork = await host.fork(run, { at: cut.seq, by: 'ann' });
    const copy = await journal.read(childRunId(fork, taskId('t1')));
    const inherited = copy.slice(
      0,
      copy.findLastIndex(({ fact }) => fact.kind === 'run.forked'),
    );
    const numbers = (records: typeof copy) => records.map(({ seq, at, commit }) => ({ seq, at, commit }));
    expect(before.some(({ fact }) => fact.kind === 'task.started')).toBe(true);
    expect(numbers(inherited)).toEqual(numbers(before));
    const order = async (root: typeof run) =>
      (await journal.tree(root)).map((one) => `${one.run.slice(root.length)} ${one.seq}`);
    const known = (await order(run)).slice(0, cut.seq + before.length);
    expect((await order(fork)).filter((name) => known.includes(name))).toEqual(known);
    await host.resume(fork);
    expect(await host.rest(fork)).toMatchObject({ status: 'waiting', questions: [{ text: 'First?' }] });
    await host.shutdown();
  });

  test('[ST3] a rollback restores a child to the records committed before', async () => {
    const { journal, open, run, child, cut, before } = await takenOver(skewMs);
    const host = open(10 * HOUR);
    await host.rewind(run, { to: cut.seq, by: 'ann', files: false, conversation: true });
    const rewound = (await journal.read(child)).at(-1)?.fact;
    expect(rewound).toMatchObject({ kind: 'run.rewound', to: before.length });
    await host.resume(run);
    expect(await host.rest(run)).toMatchObject({ status: 'waiting', questions: [{ text: 'First?' }] });
    await host.shutdown();
  });
});

test('[ST3] going back is refused before anything is changed while another process drives a child', async () => {
  const { journal, open, run, child, cut } = await takenOver(0);
  const before = await journal.tree(run);
  const held = await journal.lease(child, 'another process');
  const host = open(10 * HOUR);
  const rewind = { to: cut.seq, by: 'ann', files: false, conversation: true };
  await expect(host.rewind(run, rewind)).rejects.toMatchObject({
    code: 'RUN_BUSY',
    message: `Run ${child} is driven by another process.`,
  });
  expect(await journal.tree(run)).toEqual(before);
  expect(await journal.run(run)).toMatchObject({ driven: false });
  await journal.release(held);
  await host.rewind(run, rewind);
  expect((await journal.read(child)).at(-1)?.fact).toMatchObject({ kind: 'run.rewound' });
  await host.shutdown();
});

test('[ST3] going back is refused while this process drives a child', async () => {
  const { journal, open, run, child, cut } = await takenOver(0);
  const host = open(10 * HOUR);
  await host.resume(child);
  const before = await journal.tree(run);
  const rewind = { to: cut.seq, by: 'ann', files: false, conversation: true };
  await expect(host.rewind(run, rewind)).rejects.toMatchObject({ code: 'RUN_BUSY' });
  expect(await journal.tree(run)).toEqual(before);
  await host.shutdown();
});
