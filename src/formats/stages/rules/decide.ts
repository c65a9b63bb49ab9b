import { Fault, unreachable } from '../../../core/model/fault.ts';
import type { Json } from '../../../core/model/json.ts';
import { withAmbient } from './ambient.ts';
import { createWorkflowState } from './workflow-state.ts';
import type { StageDefinition } from './stage-definition.ts';
import { answer, receive } from './receive.ts';
import { completeMessage } from './complete-message.ts';
import type { DecisionInput, StageDecision, StageEvent } from './decision.ts';
import { failStage } from './enter-stage.ts';
import { finishBroken, finishFailed, finishPartial, goFrom, goOn } from './go-on.ts';
import {
  callFunction,
  changeAgent,
  decisionOf,
  isRoleKnown,
  keepProgress,
  note,
  openProgress,
  openStage,
  OwnCodeError,
  ownCodeFailed,
  type StageProgress,
  reportOnly,
} from './progress.ts';

/**
 * The document's orchestrator as a function: one event in, one decision out (see `decision.ts`). Pure except for the workflow's own
 * functions, which get clock and ids from the event, so the same input gives the same decision (L9).
 */
export function decideStage(workflow: StageDefinition, input: DecisionInput): StageDecision {
  if ((input.state === null) !== (input.event.kind === 'started')) {
    throw new Fault(
      'STAGES_OUT_OF_ORDER',
      `The event ${input.event.kind} cannot come ${input.state === null ? 'first' : 'again'}.`,
      {
        hint: 'A run begins with `started`, once.',
      },
    );
  }
  const progress = openProgress(workflow, input);
  const sessionId = input.event.kind === 'started' ? input.event.sessionId : progress.state.sessionId;
  const nextId = (): string => `msg-${input.run}-${(progress.kept.ids += 1)}`;
  return withAmbient({ nowMs: input.now, sessionId, nextId }, () => {
    if (progress.kept.finished === null) attempt(progress, () => handle(progress, input.event));
    return decisionOf(progress, keepable(progress));
  });
}

function handle(progress: StageProgress, event: StageEvent): void {
  switch (event.kind) {
    case 'started':
      return start(progress, event);
    case 'message':
      return receive(progress, event);
    case 'failed':
      return fail(progress, event);
    case 'answered':
      return answer(progress, event);
    case 'expired':
      return expire(progress);
    default:
      return unreachable(event);
  }
}

function attempt(progress: StageProgress, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof OwnCodeError)) throw error;
    finishBroken(progress, error);
  }
}

/** The workflow's functions may have left values in the state that cannot be stored; then the run ends with that error. */
function keepable(progress: StageProgress): Json {
  try {
    return keepProgress(progress);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const { workflowName, sessionId } = progress.state;
    const { definition } = progress.workflow;
    Object.assign(progress, { state: createWorkflowState(workflowName, sessionId), errorsBefore: 0, sent: [] });
    const message = `In the workflow ${definition.name}, ${error.message}`;
    finishBroken(progress, new OwnCodeError('STATE_NOT_KEPT', message, error));
    return keepProgress(progress);
  }
}

function start(progress: StageProgress, { goal, sessionId }: Extract<StageEvent, { kind: 'started' }>): void {
  const { workflow } = progress;
  const { entryStage, name } = workflow.definition;
  progress.state = { ...createWorkflowState(name, sessionId), currentStage: entryStage };
  const roles = callFunction(progress, 'getRoles', () => workflow.getRoles());
  if (!Array.isArray(roles)) throw ownCodeFailed(workflow, 'getRoles returned no list');
  for (const role of roles) changeAgent(progress, role, { status: 'idle' });
  const task = completeMessage(callFunction(progress, 'createInitialTask', () => workflow.createInitialTask(goal)));
  if (task === undefined) throw ownCodeFailed(workflow, 'createInitialTask returned no message');
  progress.state.messages?.push(task);
  progress.sent.push(task);
  if (!isRoleKnown(progress, task.to)) {
    const message = `The initial task is for "${task.to}", which is not a role of ${name}.`;
    note(progress, { stage: entryStage, code: 'UNKNOWN_ROLE', message, recoverable: false });
    return finishFailed(progress, { code: 'UNKNOWN_ROLE', message });
  }
  goFrom(progress, { stage: entryStage, message: task });
}

function fail(progress: StageProgress, event: Extract<StageEvent, { kind: 'failed' }>): void {
  const turn = openStage(progress, event.stage);
  const { stage, code, message } = event;
  if (turn === undefined) {
    const text = `The stage ${stage} is said to have failed (${message}), and is not under way.`;
    return reportOnly(progress, { stage, code: 'UNEXPECTED_MESSAGE', message: text, recoverable: true });
  }
  progress.state.currentStage = stage;
  const retry = code === 'INVALID_OUTPUT' || code === 'NO_CHANGES' ? { note: message } : {};
  const end = failStage(progress, turn, { code, message, isChance: true, ...retry });
  if (end !== undefined) return finishFailed(progress, end);
  goOn(progress, null);
}

/** The time is over: ends with the results so far. */
function expire(progress: StageProgress): void {
  const { maxDuration } = progress.workflow.definition.config;
  const message = `The workflow has run for ${maxDuration === undefined ? 'too long' : `its ${maxDuration} ms`}.`;
  note(progress, { stage: progress.state.currentStage, code: 'TIMEOUT', message, recoverable: true });
  finishPartial(progress, { code: 'TIMEOUT', message }, 'timeout');
}
