import type { Json } from './json.ts';
import type { Failure, Outcome } from './outcome.ts';
import type { Progress } from './progress.ts';

/** Ends the run. */
export function settle(
  progress: Progress,
  result: { readonly outcome: Outcome; readonly output: Json; readonly failure: Failure | null },
): void {
  progress.record({
    kind: 'run.settled',
    outcome: result.outcome,
    output: result.output,
    failure: result.failure,
  });
  if (progress.snapshot.limits.durationMs !== undefined) progress.emit({ kind: 'timer.clear', timer: 'run/duration' });
}
