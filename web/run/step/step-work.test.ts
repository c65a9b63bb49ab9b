import { expect, test } from 'vitest';
import type { Fact } from '../../../src/core/record/fact.ts';
import type { Visit } from '../../../src/protocol/history/visits.ts';
import { historyOf } from '../../model/run-history.ts';
import { takeLines, type RunNode, type RunTree } from '../../model/run-tree.ts';
import { apartTree } from '../../model/testing/apart-tree.ts';
import { answered, by, entered, smallTree, turn } from '../../model/testing/small-run.ts';
import { stepWay } from './step-way.ts';
import { stepWorks, type StepWork } from './step-work.ts';
import { waysOf } from './work-ways.ts';

const OK = { outcome: 'ok', output: null, failure: null };

function rootOf(tree: RunTree): RunNode {
  const run = tree.runs.get(tree.root);
  if (run === undefined) throw new Error('There is no run.');
  return run;
}

function visitOf(run: RunNode, place = 0): Visit {
  const visit = historyOf(run).visits.list[place];
  if (visit === undefined) throw new Error('There is no such visit.');
  return visit;
}

function onlyWork(run: RunNode): StepWork {
  const [work, ...others] = stepWorks(run, visitOf(run));
  if (work === undefined || others.length > 0) throw new Error('There is not one piece of work.');
  return work;
}

const more = (tree: RunTree, ...facts: readonly object[]): RunTree => {
  const { count } = rootOf(tree);
  return takeLines(
    tree,
    facts.map((fact, index) => {
      const seq = count + index + 1;
      return { run: tree.root, record: { seq, at: seq * 1000, fact: fact as Fact, commit: seq } };
    }),
  ).tree;
};

const change = (work: StepWork, run: RunNode, isBelowKnown = false) =>
  Object.fromEntries(
    waysOf(work, { root: 'r', visit: visitOf(run), isBelowKnown }).map((way) => [way.kind, way.change]),
  );

test('[U2] a turn of one request counts one, each further one and each attempt one more', () => {
  const tree = smallTree(entered('s', 1), turn('t1', 's'));
  expect(onlyWork(rootOf(tree)).calls).toBe(1);
  const one = more(tree, answered('t1'));
  expect(onlyWork(rootOf(one)).calls).toBe(1);
  const three = more(
    one,
    { kind: 'call.started', task: 't1', call: 2 },
    { kind: 'call.retried', task: 't1', call: 2, attempt: 2 },
  );
  expect(onlyWork(rootOf(three)).calls).toBe(3);
});

test('[U2] the requests of a turn open at the request of its step, also where the address names no step', () => {
  const run = rootOf(smallTree(entered('s', 1), turn('t1', 's'), answered('t1')));
  expect(change(onlyWork(run), run)).toEqual({
    conversation: { tab: 'transcript', run: undefined, agent: 'ada', task: 't1' },
    requests: {
      tab: 'requests',
      run: undefined,
      agent: 'ada',
      task: 't1',
      state: 's',
      visit: 1,
      request: undefined,
    },
  });
});

test('[U2] conversation and requests of a turn that a run below takes are those of that run', () => {
  const run = rootOf(apartTree(true));
  const work = onlyWork(run);
  expect(work).toMatchObject({ kind: 'turn', child: 'r/t1', calls: 0 });
  const below = { run: 'r/t1', agent: 'ada', task: undefined };
  expect(change(work, run, true)).toMatchObject({
    conversation: { tab: 'transcript', ...below },
    requests: { tab: 'requests', ...below, state: 's', visit: 1 },
  });
  // Until the page has read it there are only the orders.
  expect(change(work, run)).toMatchObject({ conversation: { run: undefined, task: 't1' } });
});

test('[U2] what is known of a step is kept while records come, and is what a first look gives', () => {
  const left = smallTree(
    entered('s', 1),
    turn('t1', 's'),
    answered('t1'),
    { kind: 'task.ended', task: 't1', ...OK },
    entered('u', 1, by('s')),
  );
  const facts = [
    turn('t2', 'u'),
    answered('t2'),
    { kind: 'call.started', task: 't2', call: 2 },
    answered('t2', { call: 2 }),
  ];
  const before = rootOf(left);
  const [way, works] = [stepWay(before, visitOf(before)), stepWorks(before, visitOf(before))];
  const after = rootOf(more(left, ...facts));
  expect(way).toMatchObject({ to: 'u', outcome: 'ok' });
  expect(stepWay(after, visitOf(after))).toBe(way);
  expect(stepWorks(after, visitOf(after))[0]).toBe(works[0]);

  let tree = smallTree(entered('u', 1));
  for (const fact of facts) {
    tree = more(tree, fact);
    stepWorks(rootOf(tree), visitOf(rootOf(tree)));
  }
  const fresh = rootOf(smallTree(entered('u', 1), ...facts));
  expect(stepWorks(rootOf(tree), visitOf(rootOf(tree)))).toEqual(stepWorks(fresh, visitOf(fresh)));
});
