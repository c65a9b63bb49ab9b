import type { RunId } from '../../core/ids.ts';
import type { Json } from '../../core/json.ts';
import type { Failure, Outcome } from '../../core/outcome.ts';
import type { ResultState } from '../../core/result-state.ts';
import type { CostUsd, Usage } from '../../core/usage.ts';
import type { QuestionView } from '../../protocol/question-view.ts';
import type { RunView } from '../../protocol/run-view.ts';

/** How a run came out. `output` has the type of the workflow's output where the outcome is ok. */
export type RunEnd<Output = Json> =
  | (EndFigures & { readonly outcome: 'ok'; readonly output: Output; readonly failure: null })
  | (EndFigures & {
      readonly outcome: Exclude<Outcome, 'ok'>;
      readonly output: Json;
      readonly failure: Failure | null;
    });

export interface EndFigures {
  readonly run: RunId;
  /** Where its files are; absent where it changed none. */
  readonly result?: ResultState;
  readonly usage: Usage;
  readonly costUsd: CostUsd;
}

/** Where a run stands that goes no further by itself. */
export interface RunPosition extends EndFigures {
  readonly status: 'settled' | 'waiting' | 'paused';
  readonly outcome: Outcome | null;
  /** What a person has to decide. */
  readonly questions: readonly QuestionView[];
}

export function runEndOf({ run, result, usage, costUsd, outcome, output, failure }: RunView): RunEnd {
  const figures = { run: run as RunId, usage, costUsd, ...(result === undefined ? {} : { result }) };
  return outcome === 'ok'
    ? { ...figures, outcome, output, failure: null }
    : { ...figures, outcome: outcome ?? 'crashed', output, failure };
}

export function positionOf({ run, result, usage, costUsd, outcome, status, questions }: RunView): RunPosition {
  return {
    run: run as RunId,
    status: status === 'running' ? 'waiting' : status,
    outcome,
    questions,
    usage,
    costUsd,
    ...(result === undefined ? {} : { result }),
  };
}
