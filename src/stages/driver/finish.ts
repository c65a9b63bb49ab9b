import { isJsonObject } from '../../core/json.ts';
import { timestamp } from '../make-message.ts';
import { verdictOf } from '../read-message.ts';
import type { WorkflowResult, StageWorkflowState } from '../workflow-state.ts';
import type { Finished } from './decision.ts';
import { OwnCodeError, ownCodeFailed } from './own-code.ts';
import { callFunction, type Cause, type StageProgress } from './progress.ts';

/** The workflow has run to its end. A limit that was reached, or a stage that is missing, makes it partial. */
export function finishComplete(progress: StageProgress): void {
  const limit = progress.state.errors.findLast(({ code }) => code === 'MAX_ITERATIONS');
  const why = limit ?? progress.kept.lost.at(-1);
  if (why !== undefined) return finishPartial(progress, why);
  const result = end(progress, 'complete');
  if (result === undefined) return;
  if (result.success) return settle(progress, { outcome: 'ok', result });
  const unrevised = lastWordIsRevision(progress);
  if (unrevised !== undefined) {
    return settle(progress, { outcome: 'partial', result: { ...result, partial: true }, failure: unrevised });
  }
  const failure: Cause = { code: 'RESULT_NOT_SUCCESSFUL', message: result.summary };
  settle(progress, { outcome: 'failed', result, failure });
}

/** A workflow that counts its rounds itself and goes no further has reached a limit, although nobody noted one. */
function lastWordIsRevision({ state, kept }: StageProgress): Cause | undefined {
  if (kept.revisions === 0 || verdictOf(state.messages?.at(-1)) !== 'NEEDS_REVISION') return undefined;
  const message = `After ${kept.revisions} revisions the last review still asks for one.`;
  return { code: 'MAX_ITERATIONS', message };
}

/** What there is, marked: partial where a stage came to its end, else there is nothing and the run failed. */
export function finishPartial(progress: StageProgress, why: Cause, status: 'complete' | 'timeout' = 'complete'): void {
  if (!progress.state.stageHistory.some((execution) => execution.status === 'complete')) {
    return finishFailed(progress, why, status === 'timeout' ? 'timeout' : 'failed');
  }
  const result = end(progress, status);
  if (result === undefined) return;
  settle(progress, { outcome: 'partial', result: { ...result, partial: true }, failure: causeOf(why) });
}

export function finishFailed(progress: StageProgress, why: Cause, status: 'failed' | 'timeout' = 'failed'): void {
  const result = end(progress, status);
  if (result === undefined) return;
  settle(progress, { outcome: 'failed', result: { ...result, success: false }, failure: causeOf(why) });
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
  settle(progress, { outcome: 'failed', result: { ...result, success: false }, failure: { code, message } });
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

/** What is still under way is stopped by whoever drives the run; in the history it failed. */
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

function settle({ state, kept }: StageProgress, finished: Finished): void {
  state.result = finished.result;
  kept.finished = finished;
}
