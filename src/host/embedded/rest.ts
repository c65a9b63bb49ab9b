import type { Snapshot } from '../../core/fold/snapshot.ts';
import { NO_RESULT, resultState } from '../../core/look/result-state.ts';
import type { Failure } from '../../core/model/outcome.ts';
import type { Question, RunRest } from '../port.ts';

/** How a run rests: settled, waiting for a person, or paused: at a limit, its own or that of a child, or until something is fixed. */
export function restOf(snapshot: Snapshot, questions: readonly Question[]): RunRest {
  const { run, usage, costUsd, result } = snapshot;
  const common = { run, usage, costUsd, questions };
  if (result !== null) return { ...common, status: 'settled', ...result, result: resultState(snapshot) };
  const limit = questions.find((question) => question.kind === 'limit');
  const failure = limit === undefined ? (snapshot.held?.failure ?? null) : limitReached(limit);
  const status = limit === undefined && snapshot.held === null ? 'waiting' : 'paused';
  return { ...common, status, outcome: null, output: null, failure, result: NO_RESULT };
}

function limitReached(question: Question): Failure {
  const hint = 'Resume the run with a higher limit, or answer its question.';
  return { code: question.code ?? 'LIMIT_REACHED', message: question.text, class: 'limit', hint };
}
