import { finding, ReviewTale } from '../../../../src/formats/review/views/testing/review-tale.ts';
import type { RunNode, RunTree } from '../../../model/run-tree.ts';
import { emptyTree, takeLines } from '../../../model/run-tree.ts';

/** A review by two of two, with a finding each, and a round of debate. */
export function reviewFixture(): RunTree {
  const tale = new ReviewTale(['rev_1', 'rev_2'], ['impl_1', 'impl_2'])
    .review('rev_1', { verdict: 'REVISE_BEST', findings: [finding()] })
    .review('rev_2', {
      findings: [finding({ implementation: 'impl_2', severity: 'nit', claim: 'A matter of taste.' })],
    })
    .position('rev_1', { stances: [{ finding: 'F2', stance: 'disagree', reason: 'It is taste.', change: null }] });
  const lines = tale.records.map((record) => ({ run: 'r1', record: { ...record, commit: record.seq } }));
  return takeLines(emptyTree('r1'), lines).tree;
}

export function reviewFixtureRun(): RunNode {
  const run = reviewFixture().runs.get('r1');
  if (run === undefined) throw new Error('There is no run.');
  return run;
}
