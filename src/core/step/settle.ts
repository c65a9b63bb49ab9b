import { startDelivery } from './delivery.ts';
import type { Json } from '../model/json.ts';
import type { Failure, Outcome } from '../model/outcome.ts';
import type { StepProgress } from './progress.ts';

export interface SettledResult {
  readonly outcome: Outcome;
  readonly output: Json;
  readonly failure: Failure | null;
}

/** Ends the run; one that failed has its files rolled back first, if its workflow says so (PH7). */
export function settle(progress: StepProgress, { outcome, output, failure }: SettledResult): void {
  if (!mustRollBack(progress, outcome)) return settleAs(progress, { outcome, output, failure });
  progress.record({ kind: 'rollback.started', outcome, output, failure });
  progress.emit({ kind: 'rollback.run' });
}

const CRITICAL: ReadonlySet<Outcome> = new Set(['failed', 'crashed', 'timeout']);

/** A child's files belong to the run that started it, which decides for all. */
function mustRollBack({ workflow, snapshot }: StepProgress, outcome: Outcome): boolean {
  if (workflow.onFailure !== 'rollback' || snapshot.parent !== null) return false;
  return CRITICAL.has(outcome) && snapshot.files !== null && snapshot.rollingBack === null;
}

export function settleAs(progress: StepProgress, { outcome, output, failure }: SettledResult): void {
  progress.record({ kind: 'run.settled', outcome, output, failure });
  if (progress.snapshot.limits.durationMs !== undefined) progress.emit({ kind: 'timer.clear', timer: 'run/duration' });
  // A worker does not have the user's files: the result waits for a process that does.
  if (progress.snapshot.origin === null) startDelivery(progress);
}
