import { closeFindings } from './close-findings.ts';
import { convergence } from './debate-end.ts';
import type { Ledger } from './ledger.ts';

/** The last step of every change: closes the findings agreed on, and records the result of the debate. */
export function settleLedger(ledger: Ledger): Ledger {
  const closed = closeFindings(ledger);
  const outcome = convergence(closed);
  return { ...closed, outcome: outcome.kind === 'open' ? null : outcome };
}
