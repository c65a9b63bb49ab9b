import type { Failure } from '../core/model/outcome.ts';

/** Outcome and reason in one text, without repetition. */
export function outcomeText(outcome: string, failure: Pick<Failure, 'code' | 'message'> | null): string {
  if (failure === null) return outcome;
  // "cancelled, CANCELLED: Cancelled by …"
  const isSame = failure.code.toLowerCase() === outcome && failure.message.toLowerCase().startsWith(outcome);
  if (isSame) return `${outcome}${failure.message.slice(outcome.length)}`;
  return `${outcome}, ${failure.code}: ${failure.message}`;
}
