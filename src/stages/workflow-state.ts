import type { AgentMessage, AgentRole } from './agent-message.ts';

/** Where a run of a stage workflow stands. The workflow's functions read it and may change it as they like. */
export interface StageWorkflowState {
  workflowName: string;
  sessionId: string;
  startedAt: string;
  /** While a message is routed: the stage it came from. */
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
 * The first four are errors of the work. The rest tell what is wrong with the workflow's own routing or with a message, and
 * each reaches the person.
 */
export type StageErrorCode =
  | 'TIMEOUT'
  | 'INVALID_OUTPUT'
  | 'NO_CHANGES'
  | 'AGENT_ERROR'
  | 'MAX_ITERATIONS'
  | 'REJECTED'
  | 'MESSAGE_TWICE'
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
  | 'RESULT_NOT_SUCCESSFUL';
