import { codeEntry, type FaultCode } from '../core/codes/codes.ts';
import type { Outcome } from '../core/model/outcome.ts';

/** The one table of exit codes (L10). */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  waits: 3,
  stopped: 4,
  interrupted: 130,
} as const;

export interface Ending {
  readonly status: 'settled' | 'waiting' | 'paused' | 'running';
  readonly outcome: Outcome | null;
}

const BY_OUTCOME: Readonly<Record<Outcome, number>> = {
  ok: EXIT.ok,
  partial: EXIT.failed,
  failed: EXIT.failed,
  timeout: EXIT.failed,
  crashed: EXIT.failed,
  skipped: EXIT.failed,
  blocked: EXIT.waits,
  cancelled: EXIT.stopped,
  quota: EXIT.stopped,
};

export function exitCodeOf(ending: Ending, options: { readonly allowPartial?: boolean } = {}): number {
  if (ending.status === 'waiting') return EXIT.waits;
  // By a person, or at a limit.
  if (ending.status === 'paused') return ending.outcome === 'blocked' ? EXIT.waits : EXIT.stopped;
  if (ending.outcome === null) return EXIT.failed;
  if (ending.outcome === 'partial' && options.allowPartial === true) return EXIT.ok;
  return BY_OUTCOME[ending.outcome];
}

export const exitCodeOfFault = (code: FaultCode): number => EXIT[codeEntry(code).exit ?? 'usage'];
