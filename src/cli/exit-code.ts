import { isRefusedResult } from '../core/delivery.ts';
import type { Outcome } from '../core/outcome.ts';

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

/** A fault is something to fix in the files or on the command line, except those that come from the outer world. */
export function exitCodeOfFault(code: string): number {
  if (code === 'LIMIT_REACHED') return EXIT.stopped;
  if (code === 'RUN_WAITS' || isRefusedResult(code)) return EXIT.waits;
  return OUTER_FAULTS.has(code) ? EXIT.failed : EXIT.usage;
}

const OUTER_FAULTS: ReadonlySet<string> = new Set([
  'INTERNAL',
  'JOURNAL_BUSY',
  'JOURNAL_DAMAGED',
  'JOURNAL_FULL',
  'JOURNAL_IO',
  'JOURNAL_TRUNCATED',
  'JOURNAL_UNREACHABLE',
  'JOURNAL_CONFLICT',
  'LEASE_LOST',
  'RUN_BUSY',
  'DISK_FULL',
  'STORE_BUSY',
  'STORE_DAMAGED',
  'STORE_UNWRITABLE',
  'GIT_FAILED',
  'PUSH_FAILED',
  'REPOSITORY_DAMAGED',
  'SETUP_FAILED',
  'RESOURCE_EXHAUSTED',
]);
