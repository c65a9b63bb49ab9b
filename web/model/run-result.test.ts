import { expect, test } from 'vitest';
import { shownRunResult } from './run-result.ts';
import { recordedTree } from './testing/recorded-tree.ts';
import { BROKEN, by, entered, smallTree, turn } from './testing/small-run.ts';
import { ended, settled } from '../../src/protocol/workflow-state/testing/test-records.ts';

const WAY = [entered('code', 1), turn('t1', 'code'), ended('t1'), entered('review', 1, by('code'))];
const gave = (output: unknown, more: object = {}): object => ({ ...settled(), output, ...more });

test('[U2] a run that goes on has no result yet', () => {
  expect(shownRunResult(smallTree(...WAY))).toBeNull();
});

test('[U2] a review says who won, what was decided and what the tests of the winner say', () => {
  const evidence = {
    ada: { isGreen: true, passed: 5, failed: 0 },
    bob: { isGreen: false, passed: 1, failed: 2 },
    zoe: { isGreen: true, passed: 1, failed: 0 },
  };
  const of = (winner: string | null): readonly string[] | undefined =>
    shownRunResult(smallTree(...WAY, gave({ winner, decision: 'APPROVE', evidence })))?.facts;
  expect(of('ada')).toEqual(['ada won', 'approved', '5 tests pass']);
  expect(of('zoe')).toEqual(['zoe won', 'approved', '1 test passes']);
  expect(of('bob')).toEqual(['bob won', 'approved', '2 of 3 tests fail']);
  expect(of('eve')).toEqual(['eve won', 'approved']);
  expect(of(null)).toEqual(['none was taken', 'approved']);
  const tree = recordedTree('review');
  expect(shownRunResult(tree)?.facts[0]).toMatch(/^\w+ won$/);
});

test('[U2] phases say how many are done and what they left behind', () => {
  const phases = { plan: { outcome: 'ok' }, build: { outcome: 'failed' } };
  const result = shownRunResult(
    smallTree(...WAY, gave({ phases, artifacts: ['specs/plan.md'] }, { outcome: 'partial' })),
  );
  expect(result).toMatchObject({ facts: ['1 of 2 phases done'], artifacts: ['specs/plan.md'], output: null });
});

test('[U2] whatever else a run gives back is its result as it is', () => {
  expect(shownRunResult(smallTree(...WAY, gave('- done')))).toMatchObject({
    facts: [],
    output: '- done',
    state: { state: 'none' },
  });
  expect(shownRunResult(smallTree(...WAY, gave({ winner: 3 })))?.output).toEqual({ winner: 3 });
});

test('[U2] a run that failed says why, and at which step one would take it up again', () => {
  const result = shownRunResult(smallTree(...WAY, entered('code', 2, by('review')), settled('failed', BROKEN)));
  expect(result).toMatchObject({
    outcome: 'failed',
    failure: BROKEN,
    step: { state: 'code', visit: 2, name: 'code #2' },
  });
});

test('[U2] an end is where it ended, and the step before it is where it can be taken up', () => {
  const tree = recordedTree('review');
  const result = shownRunResult(tree);
  expect(result?.end).toBe('done');
  expect(result?.step?.state).not.toBe('done');
});

test('[U2] its files wait where they were handed over, until they were taken', () => {
  const handed = {
    kind: 'delivery.finished',
    workspace: 'main',
    tree: 't',
    how: 'branch',
    where: 'troupe/r',
    by: 'me',
  };
  const applied = { kind: 'project.changed', how: 'applied', before: 'a', after: 'b', kept: [], by: 'me' };
  const waits = smallTree(...WAY, gave(null), handed);
  expect(shownRunResult(waits)).toMatchObject({ state: { kind: 'branch' }, where: 'troupe/r' });
  expect(shownRunResult(smallTree(...WAY, gave(null), handed, applied))).toMatchObject({
    state: { kind: 'applied' },
    where: '',
  });
  const back = { ...applied, how: 'rolled-back' };
  expect(shownRunResult(smallTree(...WAY, gave(null), handed, applied, back))).toMatchObject({
    state: { kind: 'branch' },
  });
});
