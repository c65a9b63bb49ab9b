import type { Outcome } from '../core/model/outcome.ts';
import { resultText, type ResultState } from '../core/look/result-state.ts';

/** How a run is called in every list, before its outcome is known. */
export type RunStatusWord = 'running' | 'queued' | 'stopped' | 'waiting' | 'paused' | 'settled';

/** Why no worker drives a run that wants to go on. Only one that `lacks` a worker needs a person; each of the others is taken by itself. */
export type QueuedReason =
  | { readonly kind: 'free-soon'; readonly text: string }
  | { readonly kind: 'sleeps'; readonly text: string; readonly until: number }
  | { readonly kind: 'lacks'; readonly text: string };

export const willBeTaken = (queued: QueuedReason | undefined): boolean =>
  queued !== undefined && queued.kind !== 'lacks';

/** Until when a run sleeps that no worker drives. */
export const sleepsUntil = (queued: QueuedReason | null | undefined): number | undefined =>
  queued?.kind === 'sleeps' ? queued.until : undefined;

export interface Standing {
  readonly status: string;
  readonly outcome: Outcome | null;
  /** Whether a live process drives it. */
  readonly driven: boolean;
  readonly result?: ResultState;
  /** Why no worker drives it although it wants to go on; absent where this machine is alone. */
  readonly queued?: QueuedReason;
}

/**
 * How a run stands, in one word, on every face. It is `running` only while a process drives it; else it stopped, and can be
 * resumed, or waits for a worker. A settled one has its outcome.
 */
export function statusWord({ status, outcome, driven, queued }: Standing): string {
  if (status === 'settled') return outcome ?? 'settled';
  if (status !== 'running' || driven) return status;
  return queued === undefined ? 'stopped' : 'queued';
}

/** The same with where its result is, or what it waits for: `ok · not verified`. */
export const statusText = (standing: Standing): string =>
  `${statusWord(standing)}${standing.queued === undefined ? '' : ` · ${standing.queued.text}`}${resultSuffix(standing)}`;

export const resultSuffix = ({ result, driven }: Pick<Standing, 'result' | 'driven'>): string =>
  result === undefined || result.state === 'none' ? '' : ` · ${resultText(result, driven)}`;
