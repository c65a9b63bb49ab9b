import type { Ledger } from './ledger.ts';
import { settleLedger } from './settle-ledger.ts';
import { done, refusedPosition, type TakenPosition } from './taken.ts';

/** Removes a failed reviewer: the others continue. Its findings and statements stay. */
export function dropReviewer(ledger: Ledger, reviewer: string, reason: string): TakenPosition {
  if (!ledger.reviewers.includes(reviewer)) {
    return refusedPosition(ledger, 'REVIEWER_UNKNOWN', `There is no reviewer "${reviewer}".`);
  }
  if (ledger.out.some(({ id }) => id === reviewer)) return done(ledger);
  const { debate, round, out } = ledger;
  return done(settleLedger({ ...ledger, out: [...out, { id: reviewer, debate, round, reason }] }));
}

/** An implementation that failed: it is not judged, and need not be ranked. */
export function dropImplementation(ledger: Ledger, implementation: string, reason: string): TakenPosition {
  if (!ledger.implementations.includes(implementation)) {
    return refusedPosition(ledger, 'IMPLEMENTATION_UNKNOWN', `There is no implementation "${implementation}".`);
  }
  if (ledger.lost.some(({ id }) => id === implementation)) return done(ledger);
  const { debate, round, lost } = ledger;
  return done(settleLedger({ ...ledger, lost: [...lost, { id: implementation, debate, round, reason }] }));
}
