import { expect, test } from 'vitest';
import { forkedAt, forkPointOf, forkPoints, lastTurnOf, redoneFrom } from './fork-points.ts';
import { by, entered, smallRun, smallTree, turn } from './testing/small-run.ts';
import { recordedTree } from './testing/recorded-tree.ts';
import { ended, settled } from '../../src/protocol/workflow-state/testing/test-records.ts';

const TWICE = [
  entered('code', 1),
  turn('t1', 'code'),
  ended('t1'),
  entered('review', 1, by('code')),
  entered('code', 2, by('review')),
  entered('done', 1, by('code')),
  settled(),
];

test('[U2] every step can be forked from, named as the command line names it', () => {
  const points = forkPoints(smallRun(...TWICE));
  expect(points.map(({ at, name }) => [at, name])).toEqual([
    ['code#1', 'code #1'],
    ['review#1', 'review'],
    ['code#2', 'code #2'],
    ['done#1', 'done'],
  ]);
});

test('[U2] an end is no step to fork from', () => {
  const tree = recordedTree('review');
  const root = tree.runs.get(tree.root);
  expect(root).toBeDefined();
  const states = root === undefined ? [] : forkPoints(root).map(({ visit }) => visit.state);
  expect(states).toContain('review');
  expect(states).not.toContain('done');
});

test('[U2] after a rollback a step that was done twice is named by its record where its name means the other one', () => {
  const run = smallRun(entered('a', 1), entered('b', 1, by('a')), {
    kind: 'run.rewound',
    to: 2,
    by: 'p',
    state: {
      current: { state: 'a', entered: false, task: null, result: null, scripts: {} },
      visits: { a: 1 },
      tasks: {},
    },
  });
  expect(forkPoints(run).map(({ at }) => at)).toEqual(['a#1']);
});

test('[U2] the selected step is the one that is forked from; without one it is the last', () => {
  const tree = smallTree(...TWICE);
  expect(forkPointOf(tree, { state: 'code', visit: 1 })?.at).toBe('code#1');
  expect(forkPointOf(tree, { state: 'code' })?.at).toBe('code#2');
  expect(forkPointOf(tree, {})?.at).toBe('done#1');
});

test('[U2] a step of a run below stands for the step of the root it was a part of', () => {
  const tree = recordedTree('quest');
  const child = [...tree.runs.values()].find(({ parent }) => parent === tree.root);
  const state = child?.snapshot.current.state ?? '';
  const point = forkPointOf(tree, { run: child?.run ?? '', state });
  expect(point?.visit.run).toBe(tree.root);
  expect(point?.visit.enteredAt).toBeLessThanOrEqual(child?.snapshot.at ?? 0);
});

test('[U2] a fork says what is done again', () => {
  const tree = smallTree(...TWICE);
  const point = forkPointOf(tree, { state: 'review' });
  expect(point === null ? null : redoneFrom(tree, point)).toEqual({
    steps: [
      { state: 'review', count: 1 },
      { state: 'code', count: 1 },
      { state: 'done', count: 1 },
    ],
    costUsd: 0,
    calls: 0,
  });
});

test('[U2] the cost of the calls since a step is shown, with those of runs below', () => {
  const tree = recordedTree('review');
  const first = forkPointOf(tree, { state: 'implement' });
  const later = forkPointOf(tree, { state: 'decide' });
  const [whole, rest] = [first, later].map((point) => (point === null ? null : redoneFrom(tree, point)));
  expect(whole?.calls).toBeGreaterThan(rest?.calls ?? Infinity);
});

test('[U2] the last step of an agent is where it had its last turn', () => {
  expect(lastTurnOf(smallTree(...TWICE), 'ada')?.at).toBe('code#1');
  expect(lastTurnOf(smallTree(...TWICE), 'nobody')).toBeNull();
});

test('[U2] a fork knows at which step it left the other run', () => {
  const forked = { kind: 'run.forked', from: { run: 'other', seq: 5 }, input: {}, by: 'p' };
  expect(forkedAt(smallRun(...TWICE.slice(0, 4), forked))?.name).toBe('review');
  expect(forkedAt(smallRun(...TWICE))).toBeNull();
});
