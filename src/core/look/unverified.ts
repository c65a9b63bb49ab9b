import type { Snapshot } from '../fold/snapshot.ts';
import { isJsonObject } from '../model/json.ts';

/** The best so far of a review from which nothing came home: its files are kept where they were made, and are not verified. */
export interface Unverified {
  readonly implementation: string;
  readonly code: string;
  /** What was red, or what else speaks against it. */
  readonly why: string;
}

/** From what a run came to; null where there is none, also for runs that are no review. */
export function unverifiedIn({ result }: Pick<Snapshot, 'result'>): Unverified | null {
  const output = result?.output ?? null;
  const unverified = isJsonObject(output) ? output['unverified'] : null;
  if (!isJsonObject(unverified)) return null;
  const { implementation, code, why } = unverified;
  if (typeof implementation !== 'string' || typeof code !== 'string' || typeof why !== 'string') return null;
  return { implementation, code, why };
}
