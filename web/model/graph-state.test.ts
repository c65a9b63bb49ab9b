import { historyOf } from './run-history.ts';
import { describe, expect, test } from 'vitest';
import { rewoundState } from '../../src/core/history/rewind.ts';
import type { GraphEdge, GraphNode } from '../../src/protocol/web/graph-view.ts';
import { EdgeBook } from './graph-edges.ts';
import { nodeLook, nodeMark, unitMark } from './graph-state.ts';
import { withDriven } from './run-tree.ts';
import { recordedTree } from './testing/recorded-tree.ts';
import { BROKEN, by, entered, smallRun, smallTree, turn } from './testing/small-run.ts';
import { ended, settled } from '../../src/protocol/workflow-state/testing/test-records.ts';

const node = (id: string, more: Partial<GraphNode> = {}): GraphNode => ({
  id,
  parent: null,
  kind: 'turn',
  label: id,
  detail: '',
  x: 0,
  y: 0,
  width: 100,
  height: 40,
  state: id,
  states: [id],
  counted: [id],
  run: 'r',
  unit: null,
  inside: 'none',
  file: null,
  line: null,
  outcome: null,
  ...more,
});

const edge = (
  from: string,
  to: string,
  ways: GraphEdge['ways'] = [{ state: from, outcome: 'ok', transition: 0 }],
): GraphEdge => ({
  id: `${from}>${to}`,
  from,
  to,
  label: '',
  condition: '',
  outcome: ways[0]?.outcome ?? 'ok',
  transition: ways[0]?.transition ?? -1,
  ways,
  isBack: false,
  points: [],
  labelAt: null,
});

describe('[U2] how nodes stand', () => {
  test('active, done, failed and not reached, with the number of visits', () => {
    const tree = smallTree(
      entered('a', 1),
      turn('t1', 'a'),
      ended('t1', 'failed', BROKEN),
      entered('b', 1, by('a', 'failed')),
      entered('a', 2, by('b')),
      entered('c', 1, by('a')),
    );
    expect(nodeMark(tree, node('a'))).toMatchObject({ status: 'ok', visits: 2, failure: null });
    expect(nodeMark(tree, node('b'))).toMatchObject({ status: 'ok', visits: 1 });
    expect(nodeMark(tree, node('c'))).toMatchObject({ status: 'active', visits: 1 });
    expect(nodeMark(tree, node('d'))).toMatchObject({ status: 'unvisited', visits: 0 });
  });

  test('a state that failed says why, and one with a question asks', () => {
    const failed = smallTree(
      entered('a', 1),
      turn('t1', 'a'),
      ended('t1', 'failed', BROKEN),
      settled('failed', BROKEN),
    );
    expect(nodeMark(failed, node('a'))).toMatchObject({ status: 'bad', outcome: 'failed', failure: 'It broke.' });
    const work = { kind: 'ask', question: 'Which?', choices: [] };
    expect(nodeMark(smallTree(entered('a', 1), turn('t1', 'a', { work })), node('a')).status).toBe('asks');
  });

  test('several states that were written as one are one node', () => {
    const tree = smallTree(entered('a/begin', 1), entered('a', 1, by('a/begin')), entered('b', 1, by('a')));
    expect(nodeMark(tree, node('a', { states: ['a', 'a/begin'] }))).toMatchObject({ status: 'ok', visits: 1 });
  });

  test('a step of several states counts visits of the author’s state, not those of its helpers', () => {
    const review = recordedTree('review');
    const debate = { run: review.root, states: ['debate', 'take'], counted: ['debate'] };
    expect(review.runs.get(review.root)?.snapshot.visits).toMatchObject({ debate: 8, take: 10 });
    expect(nodeMark(review, node('debate', debate)).visits).toBe(8);
    const begun = smallTree(entered('open', 1));
    const implement = { states: ['implement', 'open'], counted: ['implement'] };
    expect(nodeMark(begun, node('implement', implement))).toMatchObject({ status: 'active', visits: 1 });
  });

  test('nothing of a run whose process is gone is active, and a question still asks', () => {
    const tree = smallTree(entered('a', 1), turn('t1', 'a'));
    expect(nodeMark(tree, node('a')).status).toBe('active');
    expect(nodeMark(withDriven(tree, true), node('a')).status).toBe('active');
    expect(nodeMark(withDriven(tree, false), node('a')).status).toBe('still');
    const work = { kind: 'ask', question: 'Which?', choices: [] };
    const asking = withDriven(smallTree(entered('a', 1), turn('t1', 'a', { work })), false);
    expect(nodeMark(asking, node('a')).status).toBe('asks');
    const over = withDriven(smallTree(entered('a', 1), turn('t1', 'a'), ended('t1'), settled('ok')), false);
    expect(nodeMark(over, node('a')).status).toBe('ok');
  });

  test('what belongs to a run that has not begun is not taken for the run above it', () => {
    expect(nodeMark(smallTree(entered('a', 1)), node('a', { run: null })).status).toBe('unvisited');
  });

  test('the units of a real pool with a run each: who is done, who waits, and where each run is', () => {
    const over = recordedTree('quest');
    const work = node('work', { kind: 'pool', run: over.root });
    expect(nodeLook(over, work, null)).toMatchObject({ status: 'ok', inside: '4 of 4 done' });
    const half = recordedTree('quest', 100);
    expect(nodeLook(half, work, null)).toMatchObject({ status: 'active', word: 'active', inside: '0 of 4 done' });
    const lane = (unit: string): GraphNode =>
      node(`work/${unit}`, { kind: 'lane', state: null, states: [], unit, run: over.root });
    expect(nodeLook(half, lane('b'), 'work')).toMatchObject({ status: 'active', inside: 'siegemaster' });
    expect(nodeLook(half, lane('c'), 'work')).toMatchObject({ status: 'queued', word: 'queued' });
    expect(nodeLook(half, lane('x'), 'work')).toMatchObject({ status: 'unvisited' });
  });

  test('units of a real pool of agents, by its newest visit', () => {
    const tree = recordedTree('review');
    const run = tree.runs.get(tree.root);
    expect(run === undefined ? null : [...(historyOf(run).units.get('implement')?.keys() ?? [])]).toEqual([
      'impl_1',
      'impl_2',
      'impl_3',
    ]);
    expect(unitMark(tree, { run: tree.root, state: 'implement', unit: 'impl_2' })).toMatchObject({
      status: 'ok',
      agent: 'impl_2',
    });
  });

  test('[PH7] of a pool that was entered again the units of before count once that is undone', () => {
    const pool = (task: string): object => turn(task, 'p', { work: { kind: 'pool' } });
    const units = (task: string): object => ({ kind: 'units.added', task, by: null, units: [{ id: 'x', after: [] }] });
    const first = [entered('p', 1), pool('t1'), units('t1'), turn('t2', 'p', { pool: 't1', unit: 'x' }), ended('t2')];
    const done = [...first, ended('t1'), entered('q', 1, by('p'))];
    const again = [entered('p', 2, by('q')), pool('t3'), units('t3'), turn('t4', 'p', { pool: 't3', unit: 'x' })];
    const back = (to: number, ...before: readonly object[]): object => ({
      kind: 'run.rewound',
      to,
      by: 'ada',
      state: rewoundState(smallRun(...before).snapshot, 20_000),
    });
    const x = { run: 'r', state: 'p', unit: 'x' };
    const twice = [...done, ...again, ended('t4', 'failed')];
    expect(unitMark(smallTree(...twice), x)).toMatchObject({ status: 'bad', task: 't4' });
    expect(unitMark(smallTree(...twice, back(8, ...done)), x)).toMatchObject({ status: 'ok', task: 't2' });
    expect(unitMark(smallTree(...twice, back(1)), x)).toMatchObject({ status: 'unvisited' });
  });

  test('a unit that never began says why, and one that rests waits', () => {
    const pool = turn('t1', 'p', { work: { kind: 'pool' } });
    const units = {
      kind: 'units.added',
      task: 't1',
      by: null,
      units: [
        { id: 'x', after: [] },
        { id: 'y', after: [] },
      ],
    };
    const tree = smallTree(
      entered('p', 1),
      pool,
      units,
      turn('t2', 'p', { pool: 't1', unit: 'x' }),
      { kind: 'unit.moved', task: 't1', unit: 'x', to: 'resting' },
      { kind: 'unit.ended', task: 't1', unit: 'y', outcome: 'skipped', reason: 'not needed' },
    );
    expect(unitMark(tree, { run: 'r', state: 'p', unit: 'x' }).status).toBe('resting');
    expect(unitMark(tree, { run: 'r', state: 'p', unit: 'y' })).toMatchObject({
      status: 'partial',
      outcome: 'skipped',
      reason: 'not needed',
    });
  });
});

describe('[U2] which edges were taken', () => {
  const demo = recordedTree('demo');
  const nodes = ['start', 'code', 'review', 'stop'].map((id) => node(id, { run: demo.root }));
  const edges = [
    edge('start', 'code'),
    edge('code', 'review'),
    edge('review', 'code'),
    edge('review', 'stop', [{ state: 'review', outcome: 'ok', transition: 1 }]),
    edge('code', 'stop', [{ state: 'code', outcome: 'failed', transition: 0 }]),
  ];

  test('how often each, and the last one stands out', () => {
    const book = new EdgeBook({ nodes, edges });
    const marks = edges.map((one) => book.mark(demo, one));
    expect(marks.map(({ taken }) => taken)).toEqual([1, 2, 1, 1, 0]);
    expect(marks.map(({ isLast }) => isLast)).toEqual([false, false, false, true, false]);
  });

  test('an edge of the author’s own drawing is the one between the last two nodes', () => {
    const drawn = [node('a', { states: ['a', 'a/begin'] }), node('b', { states: ['b/begin', 'b'] })];
    const book = new EdgeBook({ nodes: drawn, edges: [edge('a', 'b', []), edge('b', 'a', [])] });
    const tree = smallTree(
      entered('a/begin', 1),
      entered('a', 1, by('a/begin')),
      entered('hidden', 1, by('a')),
      entered('b/begin', 1, by('hidden')),
      entered('b', 1, by('b/begin')),
    );
    expect(book.mark(tree, edge('a', 'b', []))).toEqual({ isLast: true, taken: 1 });
    expect(book.mark(tree, edge('b', 'a', []))).toEqual({ isLast: false, taken: 0 });
  });
});
