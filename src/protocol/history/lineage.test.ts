import { expect, test } from 'vitest';
import { runId } from '../../core/model/ids.ts';
import { countingRecords, TreeLineage } from './lineage.ts';
import {
  began,
  callOf,
  ended,
  entered,
  putBack,
  testRecords,
  testTree,
  work,
  type TestFact,
} from '../workflow-state/testing/test-records.ts';

const seqs = (...facts: readonly TestFact[]): readonly number[] =>
  countingRecords(testRecords([began('r'), ...facts])).map(({ seq }) => seq);

test('what was done after the record that a run was put back to does not count', () => {
  expect(seqs(entered('a'), entered('b'), putBack(2), entered('c'))).toEqual([1, 2, 4, 5]);
});

test('a rollback that is itself put back brings it back', () => {
  expect(seqs(entered('a'), entered('b'), putBack(1), putBack(3), entered('c'))).toEqual([1, 2, 3, 5, 6]);
});

test('files alone that are put back undo nothing else', () => {
  expect(seqs(entered('a'), putBack(1, null), entered('b'))).toEqual([1, 2, 3, 4]);
});

test('a run below another one is undone with the task that called it, and its sub-agents too', () => {
  const tree = new TreeLineage(
    testTree([
      ['r', began('r')],
      ['r', work('t1', 'a', callOf('w'))],
      ['r/t1', began('r/t1')],
      ['r/t1/t1-1.0', began('r/t1/t1-1.0')],
      ['r', ended('t1')],
      ['r', work('t2', 'b', callOf('w'))],
      ['r/t2', began('r/t2')],
      ['r/t2', work('t1', 'a', { kind: 'turn' })],
      ['r/t2/t1-1.0.r1', began('r/t2/t1-1.0.r1')],
      ['r', putBack(3)],
    ]),
  );
  expect(tree.counts(runId('r'), 2)).toBe(true);
  expect(tree.counts(runId('r'), 4)).toBe(false);
  expect(tree.counts(runId('r/t1'), 1)).toBe(true);
  expect(tree.counts(runId('r/t1/t1-1.0'), 1)).toBe(true);
  expect(tree.counts(runId('r/t2'), 1)).toBe(false);
  expect(tree.counts(runId('r/t2/t1-1.0.r1'), 1)).toBe(false);
});

test('a run whose parent is not among the records counts', () => {
  expect(new TreeLineage(testTree([['q/t1', began('q/t1')]])).counts(runId('q/t1'), 1)).toBe(true);
});
