import type { FaultCode } from '../../../core/codes/codes.ts';
import {
  type AgentMessage,
  type AgentRole,
  type MessageType,
  metadataOf,
  type StageVerdict,
  timestamp,
  verdictOf,
} from './agent-message.ts';

/** The progress of a run of a stage workflow. The workflow's functions read it and may change it. */
export interface StageWorkflowState {
  workflowName: string;
  sessionId: string;
  startedAt: string;
  /** While a message is routed: the stage that sent it. */
  currentStage: string;
  stageHistory: StageExecution[];
  agentStates: Map<AgentRole, StageAgentState>;
  /** Routed and not yet delivered. */
  pendingMessages: AgentMessage[];
  processedMessageIds: Set<string>;
  /** How often each stage was begun. */
  iterationCounts: Map<string, number>;
  status: 'running' | 'complete' | 'failed' | 'timeout';
  completedAt?: string;
  result?: WorkflowResult;
  errors: WorkflowError[];
  /** Every message so far, the initial task first. The engine always gives it. */
  messages?: AgentMessage[];
}

export interface StageExecution {
  stageName: string;
  startedAt: string;
  completedAt?: string;
  status: 'running' | 'complete' | 'skipped' | 'failed';
  iteration: number;
  outputMessageIds: string[];
}

export interface StageAgentState {
  role: AgentRole;
  status: 'idle' | 'working' | 'complete' | 'blocked' | 'error';
  /** The stage it plays. */
  currentTask?: string;
  lastMessageAt?: string;
}

export interface WorkflowResult {
  success: boolean;
  summary: string;
  /** Paths of files, or ids of messages. */
  artifacts: string[];
  findings?: unknown[];
  reviews?: unknown[];
  /** Set by the engine when a limit was reached or a stage is missing. */
  partial?: boolean;
}

export interface WorkflowError {
  timestamp: string;
  stage: string;
  agent?: AgentRole;
  code: StageErrorCode;
  message: string;
  /** The run went on, or could have. */
  recoverable: boolean;
}

/**
 * The first four are errors of the work. The rest describe errors in the workflow's own routing or in a message, and are reported to
 * the user.
 */
export type StageErrorCode = Extract<
  FaultCode,
  | 'TIMEOUT'
  | 'INVALID_OUTPUT'
  | 'NO_CHANGES'
  | 'AGENT_ERROR'
  | 'MAX_ITERATIONS'
  | 'REJECTED'
  | 'MESSAGE_DUPLICATE'
  | 'UNEXPECTED_MESSAGE'
  | 'UNKNOWN_ROLE'
  | 'UNKNOWN_STAGE'
  | 'STAGE_MISMATCH'
  | 'INPUT_REFUSED'
  | 'NOT_TRIGGERED'
  | 'GUARD_REFUSED'
  | 'INPUT_MISSING'
  | 'NO_NEXT_STAGE'
  | 'STAGE_CODE_FAILED'
  | 'STATE_NOT_KEPT'
  | 'RESULT_NOT_SUCCESSFUL'
>;

/** A state in which nothing has happened. Each function below gives a new state and leaves the one it got as it was. */
export function createWorkflowState(workflowName: string, sessionId: string): StageWorkflowState {
  return {
    workflowName,
    sessionId,
    startedAt: timestamp(),
    currentStage: '',
    stageHistory: [],
    agentStates: new Map(),
    pendingMessages: [],
    processedMessageIds: new Set(),
    iterationCounts: new Map(),
    status: 'running',
    errors: [],
    messages: [],
  };
}

/** The stage under way is complete, `to` has begun. */
export function transitionStage(state: StageWorkflowState, to: string): StageWorkflowState {
  const now = timestamp();
  const ended = (execution: StageExecution): StageExecution =>
    execution.stageName === state.currentStage && execution.status === 'running'
      ? { ...execution, status: 'complete', completedAt: now }
      : execution;
  const begun: StageExecution = {
    stageName: to,
    startedAt: now,
    status: 'running',
    iteration: (state.iterationCounts.get(to) ?? 0) + 1,
    outputMessageIds: [],
  };
  return { ...state, currentStage: to, stageHistory: [...state.stageHistory.map(ended), begun] };
}

/** It no longer waits, and a second message with this id changes nothing. */
export function markMessageProcessed(state: StageWorkflowState, messageId: string): StageWorkflowState {
  return {
    ...state,
    processedMessageIds: new Set([...state.processedMessageIds, messageId]),
    pendingMessages: state.pendingMessages.filter(({ id }) => id !== messageId),
  };
}

export function incrementIteration(state: StageWorkflowState, stageName: string): StageWorkflowState {
  const count = (state.iterationCounts.get(stageName) ?? 0) + 1;
  return { ...state, iterationCounts: new Map([...state.iterationCounts, [stageName, count]]) };
}

/** Whether the agent is in that state; an unknown agent is in none. */
export function validateAgentState(
  state: StageWorkflowState,
  role: AgentRole,
  expectedStatus: StageAgentState['status'],
): boolean {
  return state.agentStates.get(role)?.status === expectedStatus;
}

/** The outputs of stages, oldest first; of one type if given. */
export function outputsOf(state: StageWorkflowState, type?: MessageType): readonly StageOutput[] {
  return state.stageHistory
    .flatMap(({ stageName, outputMessageIds }) =>
      outputMessageIds.flatMap((id) => {
        const message = state.messages?.find((one) => one.id === id);
        return message === undefined ? [] : [{ stage: stageName, message }];
      }),
    )
    .filter(({ message }) => type === undefined || message.type === type);
}

export interface StageOutput {
  readonly stage: string;
  readonly message: AgentMessage;
}

/** The verdict that counts for the given stages: the newest. */
export function lastVerdict(state: StageWorkflowState, stages: readonly string[]): StageVerdict | undefined {
  return verdictOf(outputsOf(state, 'review').findLast(({ stage }) => stages.includes(stage))?.message);
}

/** All findings, each with claim, confidence and sources. */
export function stageFindings(state: StageWorkflowState): unknown[] {
  return outputsOf(state, 'finding').flatMap(({ message }): unknown[] => {
    const findings = metadataOf(message, 'findings');
    if (Array.isArray(findings)) return findings;
    const claim = metadataOf(message, 'claim') ?? message.content.body;
    return [{ claim, confidence: metadataOf(message, 'confidence'), sources: metadataOf(message, 'sources') ?? [] }];
  });
}

export function reviewsOf(state: StageWorkflowState): unknown[] {
  return outputsOf(state, 'review').map(({ stage, message }) => ({
    stage,
    verdict: metadataOf(message, 'verdict'),
    summary: metadataOf(message, 'summary') ?? message.content.body,
    issues: metadataOf(message, 'issues') ?? [],
  }));
}

/** The files that artifacts name, each once. */
export function stageFiles(state: StageWorkflowState): string[] {
  const files = outputsOf(state, 'artifact').flatMap(({ message }): unknown[] => {
    const named = metadataOf(message, 'files');
    return Array.isArray(named) ? named : [];
  });
  return [...new Set(files.filter((file) => typeof file === 'string'))];
}

/** The results of outputs: the files they name, else the id of the message. */
export function leftBy(outputs: readonly StageOutput[]): string[] {
  const left = outputs.flatMap(({ message }): string[] => {
    const named = metadataOf(message, 'files');
    const files = Array.isArray(named) ? named.filter((file) => typeof file === 'string') : [];
    return files.length === 0 ? [message.id] : files;
  });
  return [...new Set(left)];
}

/** The summary an agent gave with an output, else what it wrote. */
export function stageSummary(message: AgentMessage | undefined): string {
  const summary = metadataOf(message, 'summary');
  return typeof summary === 'string' && summary !== '' ? summary : (message?.content.body ?? '');
}
