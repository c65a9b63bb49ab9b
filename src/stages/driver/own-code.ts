import { isFault } from '../../core/fault.ts';
import type { StageDefinition } from '../stage-workflow.ts';
import type { StageErrorCode, StageWorkflowState } from '../workflow-state.ts';

/** Something in the workflow's own code is wrong; `decide` makes it the failure of the run. */
export class OwnCodeError extends Error {
  readonly code: StageErrorCode;

  constructor(code: StageErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

let onCall: (name: string) => void = () => undefined;

/** Who may have to stop a function that never returns learns by this which one it was. */
export function watchCalls(watch: (name: string) => void): void {
  onCall = watch;
}

/** Calls one of the author's functions. What it throws, and what it returns that is of no use, is told by its name. */
export function callOwn<T>(workflow: StageDefinition, name: string, call: () => T): T {
  let answer: T;
  onCall(name);
  try {
    answer = call();
  } catch (cause) {
    const words = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
    throw ownCodeFailed(workflow, `${name} failed: ${isFault(cause) ? cause.message : words}`, cause);
  }
  if (isThenable(answer)) {
    // Nobody waits for it; without this a rejection would end the process.
    Promise.resolve(answer).catch(() => undefined);
    throw ownCodeFailed(workflow, `${name} returned a promise; it has to answer at once`);
  }
  return answer;
}

export function ownCodeFailed(workflow: StageDefinition, what: string, cause?: unknown): OwnCodeError {
  const ended = /[.!?]$/.test(what) ? what : `${what}.`;
  return new OwnCodeError('STAGE_CODE_FAILED', `In the workflow ${workflow.definition.name}, ${ended}`, cause);
}

/** The author's functions change the state as they like; what the engine reads of it must still be there. */
export function checkShape(workflow: StageDefinition, name: string, state: StageWorkflowState): void {
  const parts: readonly [keyof StageWorkflowState, boolean][] = [
    ['currentStage', typeof state.currentStage === 'string'],
    ['stageHistory', Array.isArray(state.stageHistory)],
    ['agentStates', state.agentStates instanceof Map],
    ['pendingMessages', Array.isArray(state.pendingMessages)],
    ['processedMessageIds', state.processedMessageIds instanceof Set],
    ['iterationCounts', state.iterationCounts instanceof Map],
    ['errors', Array.isArray(state.errors)],
    ['messages', Array.isArray(state.messages)],
  ];
  const broken = parts.find(([, isFine]) => !isFine);
  if (broken !== undefined) throw ownCodeFailed(workflow, `${name} left state.${broken[0]} as something else`);
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}
