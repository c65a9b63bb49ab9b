import type { ReviewFinding } from './finding.ts';
import { lastStance } from './last-stance.ts';
import type { Ledger } from './ledger.ts';
import { isAgainst } from './position.ts';

/** What is still debated. */
export const openFindings = (ledger: Ledger): readonly ReviewFinding[] =>
  ledger.findings.filter((finding) => stateOf(ledger, finding) === 'open');

export type FindingState = 'open' | 'standing' | 'withdrawn' | 'fixed' | 'refuted' | 'resting';

/** Where a finding is, in one word. What is known against an implementation that is not judged now rests, but for what is done with. */
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
    // What its own author took back needs no word of others.
    return !isAgainst(lastStance(ledger, finding, finding.by)?.stance);
  });
