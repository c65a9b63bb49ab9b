import { isJsonObject } from '../../../core/model/json.ts';
import { getStageDefinition } from './find-stage.ts';
import { timestamp, verdictOf } from './agent-message.ts';
import type { StageWorkflowState, WorkflowResult } from './workflow-state.ts';
import { enterReady } from './enter-stage.ts';
import {
  callFunction,
  type Cause,
  note,
  OwnCodeError,
  ownCodeFailed,
  type Routed,
  type StageProgress,
} from './progress.ts';
import { enqueue, missingInputs, queueOf } from './queue.ts';
import { noteUnknownStage } from './message-targets.ts';
import type { Finished } from './decision.ts';

/** The workflow has run to its end. A limit that was reached, or a stage that is missing, makes it partial. */
function finishComplete(progress: StageProgress): void {
  const limit = progress.state.errors.findLast(({ code }) => code === 'MAX_ITERATIONS');
  const why = limit ?? progress.kept.lost.at(-1);
  if (why !== undefined) return finishPartial(progress, why);
  const result = end(progress, 'complete');
  if (result === undefined) return;
  if (result.success) return conclude(progress, { outcome: 'ok', result });
  const unrevised = lastWordIsRevision(progress);
  if (unrevised !== undefined) {
    return conclude(progress, { outcome: 'partial', result: { ...result, partial: true }, failure: unrevised });
  }
  const failure: Cause = { code: 'RESULT_NOT_SUCCESSFUL', message: result.summary };
  conclude(progress, { outcome: 'failed', result, failure });
}

/** A workflow that counts its rounds itself and stops has reached a limit, even without a note. */
function lastWordIsRevision({ state, kept }: StageProgress): Cause | undefined {
  if (kept.revisions === 0 || verdictOf(state.messages?.at(-1)) !== 'NEEDS_REVISION') return undefined;
  const message = `After ${kept.revisions} revisions the last review still asks for one.`;
  return { code: 'MAX_ITERATIONS', message };
}

/** Ends with the results so far: partial if a stage completed, else the run failed. */
export function finishPartial(progress: StageProgress, why: Cause, status: 'complete' | 'timeout' = 'complete'): void {
  if (!progress.state.stageHistory.some((execution) => execution.status === 'complete')) {
    return finishFailed(progress, why, status === 'timeout' ? 'timeout' : 'failed');
  }
  const result = end(progress, status);
  if (result === undefined) return;
  conclude(progress, { outcome: 'partial', result: { ...result, partial: true }, failure: causeOf(why) });
}

export function finishFailed(progress: StageProgress, why: Cause, status: 'failed' | 'timeout' = 'failed'): void {
  const result = end(progress, status);
  if (result === undefined) return;
  conclude(progress, { outcome: 'failed', result: { ...result, success: false }, failure: causeOf(why) });
}

/** The workflow's own code failed: nothing of it is called again. */
export function finishBroken(progress: StageProgress, error: OwnCodeError): void {
  close(progress, 'failed');
  const { code, message } = error;
  const result: WorkflowResult = progress.state.result ?? { success: false, summary: message, artifacts: [] };
  progress.state.errors.push({
    timestamp: timestamp(),
    stage: progress.state.currentStage,
    code,
    message,
    recoverable: false,
  });
  conclude(progress, { outcome: 'failed', result: { ...result, success: false }, failure: { code, message } });
}

/** Undefined when the author's own `synthesizeResult` failed, which ended the run by itself. */
function end(progress: StageProgress, status: StageWorkflowState['status']): WorkflowResult | undefined {
  close(progress, status);
  try {
    return readResult(
      progress,
      callFunction(progress, 'synthesizeResult', (workflow) => workflow.synthesizeResult(progress.state)),
    );
  } catch (error) {
    if (!(error instanceof OwnCodeError)) throw error;
    finishBroken(progress, error);
    return undefined;
  }
}

/** The driver of the run stops active stages; in the history they failed. */
function close({ state, kept }: StageProgress, status: StageWorkflowState['status']): void {
  state.status = status;
  state.completedAt = timestamp();
  for (const execution of state.stageHistory) {
    if (execution.status === 'running') Object.assign(execution, { status: 'failed', completedAt: timestamp() });
  }
  for (const agent of state.agentStates.values()) if (agent.status === 'working') agent.status = 'idle';
  kept.open = [];
  kept.routes = {};
}

function readResult({ workflow }: StageProgress, given: unknown): WorkflowResult {
  if (!isJsonObject(given)) throw ownCodeFailed(workflow, 'synthesizeResult returned no result');
  const result = given as unknown as Partial<WorkflowResult>;
  return {
    ...result,
    success: result.success === true,
    summary: typeof result.summary === 'string' ? result.summary : '',
    artifacts: Array.isArray(result.artifacts) ? result.artifacts : [],
  };
}

function causeOf({ code, message }: Cause): Cause {
  return { code, message };
}

function conclude({ state, kept }: StageProgress, finished: Finished): void {
  state.result = finished.result;
  kept.finished = finished;
}

export interface StageEnd extends Routed {
  readonly isRouted: boolean;
  /** The workflow said that this is the end. */
  readonly isEnd: boolean;
}

/** The run has begun: its first stage waits. */
export function goFrom(progress: StageProgress, first: Routed): void {
  enqueue(progress, first);
  enterReady(progress);
  settle(progress, { hasAsked: true, last: first.message });
}

/** After something has ended: is the workflow complete, and if not, what begins next? Null after a stage that failed. */
export function goOn(progress: StageProgress, ended: StageEnd | null): void {
  if (endsByItself(progress, ended)) return;
  if (isAtItsEnd(progress, ended)) return finishComplete(progress);
  if (ended?.isRouted === false && brokenBy(progress) === undefined) {
    passTo(progress, ended, outputTo(progress, ended.stage));
  }
  enterReady(progress);
  settle(progress, { hasAsked: ended?.isRouted === true, last: ended?.message ?? progress.state.messages?.at(-1) });
}

function isAtItsEnd(progress: StageProgress, ended: StageEnd | null): boolean {
  const { workflow, deliver, question } = progress;
  const hasEnded = deliver.length === 0 && question === null;
  if (hasEnded && isComplete(progress) && !leadsToLast(progress)) return true;
  return ended?.isRouted === false && ended.stage === workflow.definition.completionStage;
}

/** The author's functions may end the workflow by a word in its state. */
function endsByItself(progress: StageProgress, ended: StageEnd | null): boolean {
  const { status } = progress.state;
  if (ended?.isEnd === true || status === 'complete') finishComplete(progress);
  else if (status === 'failed') finishFailed(progress, lastError(progress));
  else if (status === 'timeout') finishPartial(progress, lastError(progress), 'timeout');
  else return false;
  return true;
}

function lastError({ state }: StageProgress): Cause {
  return state.errors.at(-1) ?? { code: 'RESULT_NOT_SUCCESSFUL', message: 'The workflow ended itself.' };
}

function isComplete(progress: StageProgress): boolean {
  return callFunction(progress, 'isComplete', (workflow) => workflow.isComplete(progress.state));
}

/** The criteria are met, and the last stage is what remains to be done. */
function leadsToLast(progress: StageProgress): boolean {
  return queueOf(progress).some(({ stage }) => stage === progress.workflow.definition.completionStage);
}

interface Settling {
  /** The workflow was asked for its next stage, or routed by itself. */
  readonly hasAsked: boolean;
  readonly last: Routed['message'] | undefined;
}

/** Nothing is active and nothing can begin: passes inputs on past skipped stages, takes the next stage, or ends. */
function settle(progress: StageProgress, { hasAsked, last }: Settling): void {
  if (progress.kept.finished !== null || progress.kept.open.length > 0) return;
  const passed = progress.passed.splice(0);
  if (passed.length > 0) return settlePassed(progress, passed, { hasAsked, last });
  const broken = brokenBy(progress);
  if (broken !== undefined) return finishFailed(progress, broken);
  const limit = newErrors(progress).find(({ code }) => code === 'MAX_ITERATIONS');
  if (limit !== undefined) return finishPartial(progress, limit);
  const next = hasAsked ? null : nextStage(progress);
  if (next === null || last === undefined) return stuck(progress);
  passTo(progress, { stage: next, message: last }, [next]);
  enterReady(progress);
  settle(progress, { hasAsked: true, last });
}

function settlePassed(progress: StageProgress, passed: readonly Routed[], settling: Settling): void {
  const { completionStage } = progress.workflow.definition;
  if (passed.some(({ stage }) => stage === completionStage) || isComplete(progress)) return finishComplete(progress);
  for (const one of passed) {
    // A circle of stages that are all skipped would go round for ever.
    if (!progress.passedBy.has(one.stage)) passTo(progress, one, after(progress, one.stage));
    progress.passedBy.add(one.stage);
  }
  enterReady(progress);
  settle(progress, settling);
}

/** The next stages for the input of a stage without an output: `outputTo`, else its readers. */
function after(progress: StageProgress, stage: string): readonly string[] {
  const declared = outputTo(progress, stage);
  if (declared.length > 0) return declared;
  const next = nextStage(progress);
  if (next !== null && next !== stage) return [next];
  return progress.workflow.definition.stages
    .filter(({ inputFrom }) => inputFrom?.includes(stage) === true)
    .map(({ name }) => name);
}

function outputTo({ workflow }: StageProgress, stage: string): readonly string[] {
  return getStageDefinition(workflow.definition, stage)?.outputTo ?? [];
}

function passTo(progress: StageProgress, { message }: Routed, stages: readonly string[]): void {
  for (const stage of stages) {
    const role = getStageDefinition(progress.workflow.definition, stage)?.agent;
    if (role === undefined) noteUnknownStage(progress, progress.state.currentStage, stage);
    else enqueue(progress, { stage, message: { ...message, to: role } });
  }
}

/** A stage that failed for good is not what follows it. */
function nextStage(progress: StageProgress): string | null {
  const next = callFunction(progress, 'getNextStage', (workflow) => workflow.getNextStage(progress.state));
  const isLost = progress.state.stageHistory.findLast(({ stageName }) => stageName === next)?.status === 'failed';
  return next === undefined || isLost ? null : next;
}

/** The reason if this event shows that the run cannot continue as its author meant. */
function brokenBy(progress: StageProgress): Cause | undefined {
  return newErrors(progress).findLast(({ recoverable }) => !recoverable);
}

function newErrors({ state, errorsBefore }: StageProgress): readonly (Cause & { readonly recoverable: boolean })[] {
  return state.errors.slice(errorsBefore);
}

/** Nothing is left to do and the workflow is not complete. */
function stuck(progress: StageProgress): void {
  const [waiting] = queueOf(progress);
  if (waiting !== undefined) {
    const { stage } = waiting;
    const message = `The stage ${stage} waits for ${missingInputs(progress, stage).join(', ')}, which will not come.`;
    note(progress, { stage, code: 'INPUT_MISSING', message, recoverable: false });
  }
  const short = progress.kept.lost.at(-1) ?? progress.state.errors.find(({ code: one }) => one === 'MAX_ITERATIONS');
  if (short !== undefined) return finishPartial(progress, short);
  const code = waiting === undefined ? 'NO_NEXT_STAGE' : 'INPUT_MISSING';
  finishFailed(progress, {
    code,
    message: waiting === undefined ? nothingNext(progress) : lastError(progress).message,
  });
}

function nothingNext({ state, workflow }: StageProgress): string {
  const last = state.messages?.at(-1);
  const what = last === undefined ? '' : ` after the ${last.type} of ${last.from}`;
  return `${workflow.definition.name} is not complete, and nothing follows${what} in the stage ${state.currentStage}.`;
}
