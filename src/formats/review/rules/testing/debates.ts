import { newLedger, type Ledger } from '../ledger.ts';
import type { FindingDraft, ReviewVerdict } from '../review.ts';
import { takePosition } from '../take-position.ts';
import { takeReview } from '../take-review.ts';
import type { TakenPosition } from '../taken.ts';

/** Small debates, by the parts a test cares about. */

export const draft = (claim: string, parts: Partial<FindingDraft> = {}): FindingDraft => ({
  implementation: 'impl_1',
  severity: 'major',
  priority: 2,
  file: 'src/a.ts',
  line: 3,
  claim,
  change: `fix ${claim}`,
  ...parts,
});

export const reply = (verdict: ReviewVerdict, parts: object = {}) => ({
  verdict,
  ranking: ['impl_1', 'impl_2'],
  findings: [],
  stances: [],
  summary: '',
  ...parts,
});

export const stance = (finding: string, kind: string, reason = 'because') => ({ finding, stance: kind, reason });

/** Two reviewers, or as many as are named, two implementations, three rounds. */
export const ledgerOf = (reviewers: readonly string[] = ['ann', 'bob']): Ledger =>
  newLedger(reviewers, ['impl_1', 'impl_2'], 3);

/** The ledger after what was said, which must be without a flaw. */
export function said(ledger: Ledger, ...words: readonly (readonly [string, object])[]): Ledger {
  let now = ledger;
  for (const [reviewer, given] of words) now = clean(speak(now, reviewer, given));
  return now;
}

const speak = (ledger: Ledger, reviewer: string, given: object): TakenPosition =>
  ledger.positions.length < ledger.reviewers.length && ledger.debate === 1 && ledger.round === 0
    ? takeReview(ledger, reviewer, given)
    : takePosition(ledger, reviewer, given);

export function clean({ ledger, problems }: TakenPosition): Ledger {
  if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join(' '));
  return ledger;
}

/** Ann has found one thing and bob none. */
export const oneFinding = (): Ledger =>
  said(ledgerOf(), ['ann', reply('REVISE_BEST', { findings: [draft('it overflows')] })], ['bob', reply('APPROVE')]);
