import { expect, test } from 'vitest';
import { resultAs, type ResultState } from '../../src/core/look/result-state.ts';
import { steeredOf, steeringReasons } from './steering-reasons.ts';
import { entered, smallTree } from './testing/small-run.ts';
import { recordedTree } from './testing/recorded-tree.ts';
import { withDriven, type RunTree } from './run-tree.ts';
import { settled } from '../../src/protocol/workflow-state/testing/test-records.ts';

function reasons(tree: RunTree, driven: boolean | null, listed?: ResultState) {
  const steered = steeredOf(withDriven(tree, driven));
  if (steered === null) throw new Error('There is no run.');
  return steeringReasons(steered, listed);
}

const PAUSED = { kind: 'run.paused', by: 'p', reason: 'a break' };

test('[U2] a run that moves can be paused, cancelled and forked, and not resumed or rolled back', () => {
  expect(reasons(smallTree(entered('a', 1)), true)).toMatchObject({
    pause: null,
    cancel: null,
    fork: null,
    resume: 'It is running.',
    rollback: expect.stringContaining('pause or cancel it first') as string,
  });
});

test('[U2] a run that was paused, or that no process drives, can be resumed', () => {
  expect(reasons(smallTree(entered('a', 1), PAUSED), true)).toMatchObject({
    pause: 'It is already paused.',
    resume: null,
  });
  expect(reasons(smallTree(entered('a', 1)), false)).toMatchObject({
    pause: expect.stringContaining('No process') as string,
    resume: null,
    rollback: null,
  });
});

test('[U2] a run that is over can be forked and rolled back, and the rest says that it is over', () => {
  expect(reasons(smallTree(entered('a', 1), settled('failed')), false)).toMatchObject({
    pause: 'The run is over: failed.',
    cancel: 'The run is over: failed.',
    resume: expect.stringContaining('Fork it') as string,
    fork: null,
    rollback: null,
  });
});

test('[R1] a run that is over is resumed for a delivery that was cut off, and not for one that was refused', () => {
  const over = [
    entered('a', 1),
    { kind: 'terms.changed', terms: { delivery: { to: { kind: 'apply' }, by: 'me' } }, by: 'me' },
    { kind: 'files.changed', workspace: 'main', tree: 'b', base: 'a', version: 2, why: 'work', task: null },
    settled(),
  ];
  expect(reasons(smallTree(...over), false).resume).toBeNull();
  for (const code of ['RESULT_NOT_VERIFIED', 'APPROVAL_VOID']) {
    const failure = { code, message: 'No.', class: 'logic' };
    const refused = { kind: 'delivery.failed', workspace: 'main', tree: 'b', failure };
    expect(reasons(smallTree(...over, refused), false).resume).toContain('The run is over');
  }
});

test('[U2] without files, or without a changed one, there is nothing to deliver', () => {
  expect(reasons(smallTree(entered('a', 1)), true).deliver).toContain('no agent of this run can use a tool');
  expect(reasons(recordedTree('review'), false).deliver).toBeNull();
});

test('[U2] before anything is known of a run there is nothing to steer', () => {
  expect(steeredOf({ ...smallTree(), runs: new Map() })).toBeNull();
});

test('[R1] a result on a branch can be discarded, also once the branch is deleted, and not once it is merged', () => {
  const [where, tree] = ['troupe/r', 'b'];
  const over = smallTree(
    entered('a', 1),
    { kind: 'files.changed', workspace: 'main', tree, base: 'a', version: 2, why: 'work', task: null },
    settled(),
    { kind: 'delivery.finished', workspace: 'main', tree, how: 'branch', where, by: 'me' },
  );
  expect(reasons(over, false).discard).toBeNull();
  expect(reasons(over, false, resultAs('branch-gone', { where })).discard).toBeNull();
  expect(reasons(over, false, resultAs('merged', { where })).discard).toContain('merged already');
});
