import type { Json } from '../../../core/model/json.ts';
import { isFault } from '../../../core/model/fault.ts';
import { type AgentMessage, type AgentRole, timestamp } from './agent-message.ts';
import {
  createWorkflowState,
  type StageAgentState,
  type StageErrorCode,
  type StageWorkflowState,
  type WorkflowError,
} from './workflow-state.ts';
import { freeze, revive } from './keep-state.ts';
import type { StageDefinition } from './stage-definition.ts';
import type { DecisionInput, Finished, StageDecision, StageDelivery, StageOrders, StageQuestion } from './decision.ts';

/** Something in the workflow's own code is wrong; `decide` makes it the failure of the run. */
export class OwnCodeError extends Error {
  readonly code: StageErrorCode;

  constructor(code: StageErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

let onCall: (name: string) => void = () => undefined;

/** Reports each function before its call, so that one that never returns is known by name. */
export function watchCalls(watch: (name: string) => void): void {
  onCall = watch;
}

/** Calls one of the author's functions. Its errors and useless results are reported with its name. */
export function callOwn<T>(workflow: StageDefinition, name: string, call: () => T): T {
  let answer: T;
  onCall(name);
  try {
    answer = call();
  } catch (cause) {
    const text = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
    throw ownCodeFailed(workflow, `${name} failed: ${isFault(cause) ? cause.message : text}`, cause);
  }
  if (isThenable(answer)) {
    // No caller waits for it; without this a rejection would end the process.
    Promise.resolve(answer).catch(() => undefined);
    throw ownCodeFailed(workflow, `${name} returned a promise; it has to answer at once`);
  }
  return answer;
}

export function ownCodeFailed(workflow: StageDefinition, what: string, cause?: unknown): OwnCodeError {
  const ended = /[.!?]$/.test(what) ? what : `${what}.`;
  return new OwnCodeError('STAGE_CODE_FAILED', `In the workflow ${workflow.definition.name}, ${ended}`, cause);
}

/** The author's functions may change the state; the parts that the engine reads must still exist. */
function checkShape(workflow: StageDefinition, name: string, state: StageWorkflowState): void {
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

/** The working state of one call of `decide`: the stored state, and the effects of the event so far. */
export interface StageProgress {
  readonly workflow: StageDefinition;
  readonly now: number;
  readonly run: string;
  state: StageWorkflowState;
  readonly kept: Kept;
  readonly deliver: StageDelivery[];
  readonly sent: AgentMessage[];
  /** Reported, but not stored: the event changed nothing. */
  readonly reported: WorkflowError[];
  /** How many errors there were before the event. */
  readonly errorsBefore: number;
  question: StageQuestion | null;
  /** Stages that ended without an output, by a condition or as optional ones: their inputs are passed on. */
  readonly passed: Routed[];
  /** Those with inputs passed on already. */
  readonly passedBy: Set<string>;
}

/** The engine's memory besides the state that the workflow's functions see. */
export interface Kept {
  open: OpenStage[];
  /** Which stages a waiting message is for, by `routeKey`; one with no entry waits for the next stage of its role. */
  routes: Record<string, string[]>;
  ids: number;
  revisions: number;
  /** Required stages that failed and that the run went on without. */
  lost: Cause[];
  finished: Finished | null;
}

export interface OpenStage extends StageDelivery {
  /** How many of `fallback` have been tried. */
  readonly fallbacks: number;
  readonly questions: number;
  readonly isAsking: boolean;
}

export interface Routed {
  readonly stage: string;
  readonly message: AgentMessage;
}

export interface Cause {
  readonly code: WorkflowError['code'];
  readonly message: string;
}

export function openProgress(workflow: StageDefinition, input: DecisionInput): StageProgress {
  const { state, kept } =
    input.state === null
      ? { state: null, kept: null }
      : (revive(input.state) as { state: StageWorkflowState; kept: Kept });
  const known = state ?? createWorkflowState(workflow.definition.name, '');
  return {
    workflow,
    now: input.now,
    run: input.run,
    state: known,
    kept: kept ?? { open: [], routes: {}, ids: 0, revisions: 0, lost: [], finished: null },
    deliver: [],
    sent: [],
    reported: [],
    errorsBefore: known.errors.length,
    question: null,
    passed: [],
    passedBy: new Set(),
  };
}

export function keepProgress({ state, kept }: StageProgress): Json {
  return freeze({ version: 1, state, kept });
}

export function decisionOf(progress: StageProgress, state: Json): StageDecision {
  const { kept, deliver, sent, reported, question } = progress;
  const isOver = kept.finished !== null;
  const orders: StageOrders = {
    deliver: isOver ? [] : deliver,
    open: kept.open.map(({ stage }) => stage),
    finished: kept.finished,
    sent,
    ...(question === null || isOver ? {} : { question }),
  };
  const notes = [...progress.state.errors.slice(progress.errorsBefore), ...reported];
  const decision: StageDecision = { state, orders, notes };
  // Metadata may hold what only JavaScript can say. Nothing that leaves here does.
  return JSON.parse(JSON.stringify(decision, plain)) as StageDecision;
}

function plain(_key: string, value: unknown): unknown {
  if (value instanceof Map) return Object.fromEntries(value);
  if (value instanceof Set) return [...value];
  return typeof value === 'bigint' ? String(value) : value;
}

/** Calls one of the workflow's functions and makes sure that the state can still be read. */
export function callFunction<T>(progress: StageProgress, name: string, call: (workflow: StageDefinition) => T): T {
  const answer = callOwn(progress.workflow, name, () => call(progress.workflow));
  checkShape(progress.workflow, name, progress.state);
  return answer;
}

export interface ProgressNote extends Cause {
  readonly stage: string;
  readonly agent?: AgentRole | undefined;
  readonly recoverable: boolean;
}

export function note(progress: StageProgress, { stage, agent, code, message, recoverable }: ProgressNote): void {
  progress.state.errors.push(errorOf({ stage, agent, code, message, recoverable }));
}

/** Reports an error to the user without any other change. */
export function reportOnly(progress: StageProgress, details: ProgressNote): void {
  progress.reported.push(errorOf(details));
}

function errorOf({ stage, agent, code, message, recoverable }: ProgressNote): WorkflowError {
  return { timestamp: timestamp(), stage, ...(agent === undefined ? {} : { agent }), code, message, recoverable };
}

export function openStage({ kept }: StageProgress, stage: string): OpenStage | undefined {
  return kept.open.find((one) => one.stage === stage);
}

export function changeAgent({ state }: StageProgress, role: AgentRole, change: Partial<StageAgentState>): void {
  const { currentTask, ...known } = state.agentStates.get(role) ?? { role, status: 'idle' as const };
  const keepsTask = change.status === undefined || change.status === 'working' || change.status === 'blocked';
  state.agentStates.set(role, {
    ...known,
    ...(keepsTask && currentTask !== undefined ? { currentTask } : {}),
    ...change,
  });
}

/** Every possible receiver: the roles that the workflow names anywhere, and the orchestrator. */
export function isRoleKnown({ workflow, state }: StageProgress, role: AgentRole): boolean {
  const { agents, stages } = workflow.definition;
  return (
    role === 'orchestrator' ||
    agents.includes(role) ||
    state.agentStates.has(role) ||
    stages.some((stage) => stage.agent === role || stage.fallback?.includes(role) === true)
  );
}
