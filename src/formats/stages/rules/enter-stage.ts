import { type AgentMessage, metadataOf, timestamp, verdictOf } from './agent-message.ts';
import { getStageDefinition } from './find-stage.ts';
import { evaluateStageCondition } from './stage-condition.ts';
import type { WorkflowStage } from './workflow-definition.ts';
import type { StageExecution } from './workflow-state.ts';
import { inputsFor, nextReady, originsOf, takeFor, takeWaiting } from './queue.ts';
import {
  callFunction,
  callOwn,
  type Cause,
  changeAgent,
  note,
  type OpenStage,
  type Routed,
  type StageProgress,
} from './progress.ts';
import { noteUnknownStage } from './message-targets.ts';
import { triggersAgain, wrongTrigger } from './stage-triggers.ts';

/** Begins every stage that can begin now. */
export function enterReady(progress: StageProgress): void {
  for (let ready = nextReady(progress); ready !== undefined; ready = nextReady(progress)) enter(progress, ready);
}

function enter(progress: StageProgress, { stage: name, message }: Routed): void {
  const [, ...joined] = takeFor(progress, { stage: name, message });
  const stage = getStageDefinition(progress.workflow.definition, name);
  if (stage === undefined) return noteUnknownStage(progress, progress.state.currentStage, name);
  if (!isWanted(progress, stage, message)) return skip(progress, stage, message);
  const refusal = refusalOf(progress, stage, message);
  if (refusal !== undefined) {
    return note(progress, {
      ...refusal,
      stage: name,
      agent: stage.agent,
      recoverable: refusal.code === 'MAX_ITERATIONS',
    });
  }
  if (isRevision(progress, stage, message)) progress.kept.revisions += 1;
  begin(progress, stage, [message, ...joined]);
}

/** Puts a turn on its way: a new one, or another try. */
export function deliver(progress: StageProgress, turn: OpenStage): void {
  const { kept, state } = progress;
  const { fallbacks: _fallbacks, questions: _questions, isAsking: _isAsking, ...delivery } = turn;
  kept.open = [...kept.open.filter(({ stage }) => stage !== turn.stage), turn];
  state.currentStage = turn.stage;
  changeAgent(progress, turn.role, { status: 'working', currentTask: turn.stage });
  progress.deliver.push(delivery);
}

function begin(
  progress: StageProgress,
  stage: WorkflowStage,
  [message, ...joined]: [AgentMessage, ...AgentMessage[]],
): void {
  const { state } = progress;
  const iteration = (state.iterationCounts.get(stage.name) ?? 0) + 1;
  state.iterationCounts.set(stage.name, iteration);
  const inputs = inputsFor(progress, stage, [message, ...joined, ...takeWaiting(progress, stage.agent)]);
  recordBegin(progress, stage, iteration);
  deliver(progress, {
    stage: stage.name,
    role: stage.agent,
    message,
    inputs,
    iteration,
    attempt: 1,
    description: stage.description,
    outputType: stage.outputType,
    ...(stage.artifactKind === undefined ? {} : { artifactKind: stage.artifactKind }),
    ...(state.messages?.[0] === undefined ? {} : { goal: state.messages[0].id }),
    origins: originsOf(progress, [message, ...inputs]),
    timeoutMs: stage.timeout ?? null,
    fallbacks: 0,
    questions: 0,
    isAsking: false,
  });
}

/** A workflow that calls `transitionStage` itself has written the entry already. */
function recordBegin({ state }: StageProgress, stage: WorkflowStage, iteration: number): void {
  const written = state.stageHistory.find(({ stageName, status }) => stageName === stage.name && status === 'running');
  if (written === undefined) state.stageHistory.push(execution(stage, 'running', iteration));
  else written.iteration = iteration;
}

function skip(progress: StageProgress, stage: WorkflowStage, message: AgentMessage): void {
  const iteration = (progress.state.iterationCounts.get(stage.name) ?? 0) + 1;
  progress.state.stageHistory.push({ ...execution(stage, 'skipped', iteration), completedAt: timestamp() });
  progress.passed.push({ stage: stage.name, message });
}

function execution(stage: WorkflowStage, status: StageExecution['status'], iteration: number): StageExecution {
  return { stageName: stage.name, startedAt: timestamp(), status, iteration, outputMessageIds: [] };
}

function isWanted(progress: StageProgress, stage: WorkflowStage, message: AgentMessage): boolean {
  const name = `the condition of the stage ${stage.name}`;
  return callOwn(progress.workflow, name, () => evaluateStageCondition(stage, progress.state, message));
}

function refusalOf(progress: StageProgress, stage: WorkflowStage, message: AgentMessage): Cause | undefined {
  return (
    wrongType(progress, stage, message) ??
    wrongTrigger(progress, stage, message) ??
    limitReached(progress, stage, message) ??
    guarded(progress, stage, message)
  );
}

function wrongType(progress: StageProgress, stage: WorkflowStage, message: AgentMessage): Cause | undefined {
  const { inputTypes } = stage;
  if (inputTypes === undefined || inputTypes.includes(message.type)) return undefined;
  if (triggersAgain(progress, stage, message)) return undefined;
  const taken = inputTypes.join(' or ');
  return {
    code: 'INPUT_REFUSED',
    message: `The stage ${stage.name} takes ${taken}; ${message.from} sent a ${message.type}.`,
  };
}

function limitReached(progress: StageProgress, stage: WorkflowStage, message: AgentMessage): Cause | undefined {
  const { maxRevisions = Infinity } = progress.workflow.definition.config;
  const { maxIterations = Infinity, name } = stage;
  if ((progress.state.iterationCounts.get(name) ?? 0) >= maxIterations) {
    return { code: 'MAX_ITERATIONS', message: `The stage ${name} may run ${maxIterations} times, and it has.` };
  }
  if (isRevision(progress, stage, message) && progress.kept.revisions >= maxRevisions) {
    return {
      code: 'MAX_ITERATIONS',
      message: `The workflow allows ${maxRevisions} revisions in all, and they were made.`,
    };
  }
  return undefined;
}

/** A review sends work back. The last stage's work on it is no revision. */
function isRevision({ workflow, state }: StageProgress, stage: WorkflowStage, message: AgentMessage): boolean {
  if (message.type !== 'review' || stage.name === workflow.definition.completionStage) return false;
  const isAgain = (state.iterationCounts.get(stage.name) ?? 0) > 0;
  return metadataOf(message, 'verdict') === undefined ? isAgain : verdictOf(message) === 'NEEDS_REVISION';
}

/** Guards see the state as it would be: the current stage is the one to begin. */
function guarded(progress: StageProgress, stage: WorkflowStage, message: AgentMessage): Cause | undefined {
  const { workflow, state } = progress;
  const left = state.currentStage;
  state.currentStage = stage.name;
  const refusing = workflow.guards?.find(
    (guard) => !callFunction(progress, `the guard ${guard.name}`, () => guard.check(state, message)),
  );
  state.currentStage = left;
  if (refusing === undefined) return undefined;
  return {
    code: 'GUARD_REFUSED',
    message: `${refusing.errorMessage} (the guard ${refusing.name}, before ${stage.name}).`,
  };
}

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
  /** The prompt of the agent when it is asked again. */
  readonly note?: string;
}

/** Tries of one agent at one stage. The document retries each stage once; `failureStrategy: 'retry'` one more time. */
const TRIES = 2;
const TRIES_OF_RETRY = 3;

/**
 * A failed stage is retried, then tried by its fallback agents, then it has failed. `optional` and `failureStrategy` decide whether the
 * run goes on; returns the cause if the run must end with it.
 */
export function failStage(progress: StageProgress, turn: OpenStage, failure: StageFailure): Cause | undefined {
  const { config } = progress.workflow.definition;
  const stage = getStageDefinition(progress.workflow.definition, turn.stage);
  const { isChance, note: text, ...cause } = failure;
  const again = nextTry(progress, turn, isChance);
  const ends = again === undefined && stage?.optional !== true && config.failureStrategy !== 'continue';
  note(progress, { ...cause, stage: turn.stage, agent: turn.role, recoverable: !ends });
  if (again !== undefined) {
    if (again.role !== turn.role) changeAgent(progress, turn.role, { status: 'error' });
    deliver(progress, { ...again, isAsking: false, ...(text === undefined ? {} : { note: text }) });
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
