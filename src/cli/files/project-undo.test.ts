import { expect, test } from 'vitest';
import type { Fact, JournalRecord } from '../../core/fact.ts';
import type { ProjectChanged } from '../../core/files-fact.ts';
import { runId, treeId } from '../../core/ids.ts';
import { changesToUndo } from './project-undo.ts';

const change = (before: string, after: string, how: ProjectChanged['how'] = 'applied'): ProjectChanged => ({
  kind: 'project.changed',
  how,
  before: treeId(before),
  after: treeId(after),
  kept: [],
  by: 'ada',
});

const records = (...facts: readonly Fact[]): readonly JournalRecord[] =>
  facts.map((fact, index) => ({ seq: index + 1, at: index, fact }));

test('[PH7] changes after the record are undone, the newest first', () => {
  const [first, second] = [change('a', 'b'), change('c', 'd')];
  const all = records({ kind: 'run.resumed', epoch: 1 }, first, { kind: 'run.resumed', epoch: 2 }, second);
  expect(changesToUndo(all, 1)).toEqual([second, first]);
  expect(changesToUndo(all, 2)).toEqual([second]);
  expect(changesToUndo(all, 4)).toEqual([]);
});

test('[PH7] what was undone already cancels out, and undoing the undoing applies again', () => {
  const [applied, undone] = [change('a', 'b'), change('b', 'a', 'rolled-back')];
  const all = records({ kind: 'run.resumed', epoch: 1 }, applied, undone);
  expect(changesToUndo(all, 1)).toEqual([]);
  expect(changesToUndo(all, 2)).toEqual([undone]);
});

test('[PH7] what was done on account of the run a fork came from is not the fork’s to undo', () => {
  const forked: Fact = { kind: 'run.forked', from: { run: runId('x'), seq: 1 }, input: {}, by: 'ada' };
  const own = change('c', 'd');
  expect(changesToUndo(records({ kind: 'run.resumed', epoch: 1 }, change('a', 'b'), forked, own), 1)).toEqual([own]);
});
