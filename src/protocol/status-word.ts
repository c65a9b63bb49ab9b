import type { Outcome } from '../core/outcome.ts';
import { resultText, type ResultState } from '../core/result-state.ts';

/** How a run is called in every list, before its outcome is known. */
export type RunStatusWord = 'running' | 'stopped' | 'waiting' | 'paused' | 'settled';

export interface Standing {
  readonly status: string;
  readonly outcome: Outcome | null;
  /** Whether a live process drives it. */
  readonly driven: boolean;
  readonly result?: ResultState;
}

/**
 * How a run stands, in one word, on every face. It is `running` only while a process drives it; else it stopped, and can be
 * resumed. A settled one has its outcome.
 */
export function statusWord({ status, outcome, driven }: Standing): string {
  if (status === 'settled') return outcome ?? 'settled';
  return status === 'running' && !driven ? 'stopped' : status;
}

/** The same with where its result is: `ok · not verified`. */
export const statusText = (standing: Standing): string => `${statusWord(standing)}${resultSuffix(standing)}`;

export const resultSuffix = ({ result, driven }: Pick<Standing, 'result' | 'driven'>): string =>
  result === undefined || result.state === 'none' ? '' : ` · ${resultText(result, driven)}`;
