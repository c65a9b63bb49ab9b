import type { Outcome } from '../../core/outcome.ts';

export interface Standing {
  readonly status: string;
  readonly outcome: Outcome | null;
  /** Whether a live process drives it. */
  readonly driven: boolean;
}

/**
 * How a run stands, in one word, wherever it is told. It is `running` only while a process drives it; else it stopped, and can
 * be resumed. A settled one is told by its outcome.
 */
export function statusWord({ status, outcome, driven }: Standing): string {
  if (status === 'settled') return outcome ?? 'settled';
  return status === 'running' && !driven ? 'stopped' : status;
}
