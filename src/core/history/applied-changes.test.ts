import { expect, test } from 'vitest';
import type { Fact, JournalRecord } from '../record/fact.ts';
import type { ProjectChanged } from '../record/files-fact.ts';
import { runId, treeId } from '../model/ids.ts';
import { appliedOf, changesToUndo } from './applied-changes.ts';

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

test('[PH7] undone changes cancel out, and undoing the undo applies again', () => {
  const [applied, undone] = [change('a', 'b'), change('b', 'a', 'rolled-back')];
  const all = records({ kind: 'run.resumed', epoch: 1 }, applied, undone);
  expect(changesToUndo(all, 1)).toEqual([]);
  expect(changesToUndo(all, 2)).toEqual([undone]);
});

test('[PH7] a fork does not undo changes of the run it came from', () => {
  const forked: Fact = { kind: 'run.forked', from: { run: runId('x'), seq: 1 }, input: {}, by: 'ada' };
  const own = change('c', 'd');
  expect(changesToUndo(records({ kind: 'run.resumed', epoch: 1 }, change('a', 'b'), forked, own), 1)).toEqual([own]);
});

const whole = (after: string, workspace: string, tree: string): ProjectChanged => ({
  ...change(after, after),
  workspace,
  tree: treeId(tree),
});

test('[PH7] that a change was written whole is nothing more to undo', () => {
  const all = records(change('a', 'b'), whole('b', 'main', 't1'));
  expect(changesToUndo(all, 0)).toMatchObject([{ before: 'a', after: 'b' }]);
  expect(changesToUndo(records(...all.map(({ fact }) => fact), change('b', 'a', 'rolled-back')), 0)).toEqual([]);
});

test('[PD7] an apply counts when all of it was written, for its workspace, until it is undone', () => {
  const first = [change('a', 'b'), whole('b', 'main', 't1')];
  const applied = (workspace: string, ...facts: readonly Fact[]) => appliedOf(records(...facts), workspace);
  expect(applied('main', ...first)).toBe('t1');
  expect(applied('main', ...first, change('b', 'c'))).toBe('t1');
  expect(applied('main', ...first, change('b', 'c'), whole('c', 'main', 't2'))).toBe('t2');
  expect(applied('main', ...first, change('b', 'c'), whole('c', 'ann', 't2'))).toBe('t1');
  expect(applied('ann', ...first)).toBeNull();
  expect(applied('main', change('a', 'b'))).toBeNull();
  expect(applied('main', ...first, change('b', 'a', 'rolled-back'))).toBeNull();
});

test('[PD7] an apply that was undone completely and repeated counts again', () => {
  const of = { workspace: 'main', tree: treeId('t1') };
  const undone = [change('a', 'b'), whole('b', 'main', 't1'), { ...change('b', 'a', 'rolled-back'), ...of }];
  expect(appliedOf(records(...undone), 'main')).toBeNull();
  expect(appliedOf(records(...undone, { ...change('a', 'b'), ...of }), 'main')).toBe('t1');
});
