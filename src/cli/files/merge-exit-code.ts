import type { MergeOutcome } from '../../host/deliver/merge-outcome.ts';
import { EXIT } from '../exit-code.ts';

/** Where a person has to decide, nothing of theirs was changed. Only a check can be interrupted: all else came to its end. */
export function mergeExitCode(outcome: MergeOutcome, stopped: AbortSignal): number {
  if (stopped.aborted && outcome.kind === 'result.not-verified') return EXIT.interrupted;
  const isOpen = 'conflicts' in outcome && outcome.conflicts.length > 0;
  return isOpen || outcome.kind === 'result.not-verified' ? EXIT.waits : EXIT.ok;
}
