import type { Snapshot } from '../fold/snapshot.ts';
import { isJsonObject } from '../model/json.ts';

/** The best implementation of a review that delivered nothing: its files are kept where they were made, and are not verified. */
export interface Unverified {
  readonly implementation: string;
  readonly code: string;
  /** The failure, or another reason why it was not accepted. */
  readonly why: string;
}

/** From a run's result; null if there is none, also for runs that are no review. */
export function unverifiedIn({ result }: Pick<Snapshot, 'result'>): Unverified | null {
  const output = result?.output ?? null;
  const unverified = isJsonObject(output) ? output['unverified'] : null;
  if (!isJsonObject(unverified)) return null;
  const { implementation, code, why } = unverified;
  if (typeof implementation !== 'string' || typeof code !== 'string' || typeof why !== 'string') return null;
  return { implementation, code, why };
}
