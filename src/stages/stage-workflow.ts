import type { AgentMessage, AgentRole, MessageType } from './agent-message.ts';
import type { WorkflowDefinition } from './workflow-definition.ts';
import type { StageAgentState, StageErrorCode, WorkflowResult, StageWorkflowState } from './workflow-state.ts';

/**
 * A stage workflow: its definition, and the functions that route it. The engine calls each function once per event, keeps
 * what was decided in the journal and never calls it again for the same event. They are synchronous.
 */
export interface StageDefinition {
  definition: WorkflowDefinition;
  getRoles(): AgentRole[];
  createInitialTask(goal: string): AgentMessage;
  routeMessage(from: AgentRole, message: AgentMessage, state: StageWorkflowState): RoutingDecision;
  isComplete(state: StageWorkflowState): boolean;
  /** Asked when nothing was routed: the stage to run next, or null. */
  getNextStage(state: StageWorkflowState): string | null;
  onStageComplete(stageName: string, messages: AgentMessage[], state: StageWorkflowState): void;
  synthesizeResult(state: StageWorkflowState): WorkflowResult;
  /** Looked at before a stage begins, with `state.currentStage` already the stage to begin. */
  guards?: TransitionGuard[];
}

export interface RoutingDecision {
  messages: { to: AgentRole; message: AgentMessage }[];
  stageTransition?: { from: string; to: string };
  updateAgentState?: { role: AgentRole; state: Partial<StageAgentState> };
  /** Why nothing was routed. The person is told. */
  refusal?: { code: StageErrorCode; message: string };
}

export interface TransitionGuard {
  name: string;
  check: (state: StageWorkflowState, message: AgentMessage) => boolean;
  errorMessage: string;
}

/** One row of a routing table. */
export interface RoutingRule {
  /** `*` matches every role. */
  from: AgentRole;
  messageType: MessageType;
  condition?: (message: AgentMessage, state: StageWorkflowState) => boolean;
  routeTo: AgentRole;
  transformMessage?: (message: AgentMessage, state: StageWorkflowState) => AgentMessage;
  updateStage?: string;
  updateState?: Partial<StageWorkflowState>;
  /** Taking this row means that a limit was reached: the sentence says which, and the result is marked partial. */
  limitReached?: string;
}
