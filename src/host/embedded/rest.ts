import type { Snapshot } from '../../core/snapshot.ts';
import { limitFailure } from '../../core/limits.ts';
import type { Question, RunRest } from '../port.ts';

/** How a run rests: settled, waiting for a person, or paused at a limit. */
export function restOf(snapshot: Snapshot, questions: readonly Question[]): RunRest {
  const { run, usage, costUsd, result, paused } = snapshot;
  const common = { run, usage, costUsd, questions };
  if (result !== null) return { ...common, status: 'settled', ...result };
  const isPaused = paused !== null || questions.some((question) => question.kind === 'limit');
  const failure = paused === null ? null : limitFailure(paused);
  return { ...common, status: isPaused ? 'paused' : 'waiting', outcome: null, output: null, failure };
}
