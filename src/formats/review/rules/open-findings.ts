import type { ReviewFinding } from './finding.ts';
import { lastStance } from './last-stance.ts';
import type { Ledger } from './ledger.ts';
import { isAgainst } from './position.ts';

/** Findings that are still debated. */
export const openFindings = (ledger: Ledger): readonly ReviewFinding[] =>
  ledger.findings.filter((finding) => stateOf(ledger, finding) === 'open');

export type FindingState = 'open' | 'standing' | 'withdrawn' | 'fixed' | 'refuted' | 'resting';

/** The state of a finding in one word. Unresolved findings against an implementation that is not judged now are resting. */
export function stateOf(ledger: Ledger, { closed, implementation }: ReviewFinding): FindingState {
  if (closed !== null && !closed.stands)
    return closed.how === 'withdrawn' || closed.how === 'fixed' ? closed.how : 'refuted';
  if (isAside(ledger, implementation)) return 'resting';
  return closed === null ? 'open' : 'standing';
}

const isAside = ({ lost, resting }: Ledger, implementation: string | null): boolean =>
  implementation !== null && (resting.includes(implementation) || lost.some(({ id }) => id === implementation));

/** The open findings on which a reviewer still has to say something: it never did, or they read differently now. */
export const awaiting = (ledger: Ledger, reviewer: string): readonly ReviewFinding[] =>
  openFindings(ledger).filter((finding) => {
    const last = lastStance(ledger, finding, reviewer);
    if (last !== null) return last.wording !== finding.earlier.length;
    // A finding that its author withdrew needs no further stance.
    return !isAgainst(lastStance(ledger, finding, finding.by)?.stance);
  });
