import { getStageDefinition } from '../find-stage.ts';
import { timestamp } from '../make-message.ts';
import type { StageExecution } from '../workflow-state.ts';
import { deliver } from './enter-stage.ts';
import { changeAgent, note, type Cause, type OpenStage, type StageProgress } from './progress.ts';

/** The execution under way has ended; `kept.open` no longer names it. */
export function closeStage(
  progress: StageProgress,
  turn: OpenStage,
  status: 'complete' | 'failed',
): StageExecution | undefined {
  const { state, kept } = progress;
  const execution = state.stageHistory.findLast(
    ({ stageName, iteration }) => stageName === turn.stage && iteration === turn.iteration,
  );
  if (execution !== undefined) Object.assign(execution, { status, completedAt: timestamp() });
  kept.open = kept.open.filter(({ stage }) => stage !== turn.stage);
  changeAgent(progress, turn.role, { status: status === 'complete' ? 'complete' : 'error' });
  return execution;
}

export interface StageFailure extends Cause {
  /** Another try could go better: everything but a verdict. */
  readonly isChance: boolean;
  /** What the agent is told when it is asked again. */
  readonly note?: string;
}

/** Tries of one agent at one stage. The document retries each stage once; `failureStrategy: 'retry'` once more. */
const TRIES = 2;
const TRIES_OF_RETRY = 3;

/**
 * A stage has not come out well: it is tried again, then by its fallback agents, then it has failed. What becomes of the run
 * is said by `optional` and `failureStrategy`; the cause is returned when the run must end with it.
 */
export function failStage(progress: StageProgress, turn: OpenStage, failure: StageFailure): Cause | undefined {
  const { config } = progress.workflow.definition;
  const stage = getStageDefinition(progress.workflow.definition, turn.stage);
  const { isChance, note: words, ...cause } = failure;
  const again = nextTry(progress, turn, isChance);
  const ends = again === undefined && stage?.optional !== true && config.failureStrategy !== 'continue';
  note(progress, { ...cause, stage: turn.stage, agent: turn.role, recoverable: !ends });
  if (again !== undefined) {
    if (again.role !== turn.role) changeAgent(progress, turn.role, { status: 'error' });
    deliver(progress, { ...again, isAsking: false, ...(words === undefined ? {} : { note: words }) });
    return undefined;
  }
  closeStage(progress, turn, 'failed');
  if (ends) return cause;
  if (stage?.optional === true) progress.passed.push({ stage: turn.stage, message: turn.message });
  else progress.kept.lost.push(cause);
  return undefined;
}

function nextTry({ workflow }: StageProgress, turn: OpenStage, isChance: boolean): OpenStage | undefined {
  const { definition } = workflow;
  const isRetry = definition.config.failureStrategy === 'retry';
  const tries = isRetry ? TRIES_OF_RETRY : isChance ? TRIES : 1;
  if (turn.attempt < tries) return { ...turn, attempt: turn.attempt + 1 };
  const role = isChance ? getStageDefinition(definition, turn.stage)?.fallback?.[turn.fallbacks] : undefined;
  return role === undefined ? undefined : { ...turn, role, attempt: 1, fallbacks: turn.fallbacks + 1 };
}
