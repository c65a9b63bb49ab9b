import type { Json } from './json.ts';
import type { Failure, Outcome } from './outcome.ts';
import type { Progress } from './progress.ts';

/** Ends the run. Values that an expression yielded are made clean JSON on their way into the journal. */
export function settle(
  progress: Progress,
  result: { readonly outcome: Outcome; readonly output: unknown; readonly failure: Failure | null },
): void {
  progress.record({
    kind: 'run.settled',
    outcome: result.outcome,
    output: cleanJson(result.output),
    failure: result.failure,
  });
  if (progress.snapshot.limits.durationMs !== undefined) progress.emit({ kind: 'timer.clear', timer: 'run/duration' });
}

/** What JSON keeps of a value: undefined and functions vanish, the rest stays as it is. */
export function cleanJson(value: unknown): Json {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  return JSON.parse(JSON.stringify(value) ?? 'null') as Json;
}
