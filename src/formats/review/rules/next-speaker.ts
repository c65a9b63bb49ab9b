import { convergence } from './debate-end.ts';
import { isRoundOver, liveReviewers, type Ledger } from './ledger.ts';

/** Whose turn it is: one after the other, in the same order in every round. Null when the debate is over. */
export function nextSpeaker(ledger: Ledger): string | null {
  if (convergence(ledger).kind !== 'open') return null;
  const live = liveReviewers(ledger);
  const waiting = isRoundOver(ledger) ? live : live.filter((reviewer) => !ledger.spoke.includes(reviewer));
  return waiting[0] ?? null;
}
