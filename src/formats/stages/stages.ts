/** `troupe/stages`: write workflows of stages in TypeScript (ST2). */
export type {
  AgentMessage,
  AgentRole,
  MessageContent,
  MessagePriority,
  MessageType,
  TaskStatus,
  StageVerdict as Verdict,
} from './rules/agent-message.ts';
export {
  createWorkflowState,
  incrementIteration,
  markMessageProcessed,
  transitionStage,
  validateAgentState,
} from './rules/workflow-state.ts';
export { decideStage as decide } from './rules/decide.ts';
export type {
  StageDecision as Decision,
  DecisionInput,
  StageDelivery as Delivery,
  Finished,
  StageEvent,
  StageFailureCode,
  StageQuestion,
} from './rules/decision.ts';
export { getActiveAgents, getStageDefinition, getStageMaxIterations, hasCompleted } from './rules/find-stage.ts';
export { createTaskMessage, currentSessionId, generateMessageId, timestamp } from './rules/agent-message.ts';
export { nextByRules } from './rules/stage-definition.ts';
export { detectCompletion, verdictOf } from './rules/agent-message.ts';
export {
  stageFiles as filesOf,
  stageFindings as findingsOf,
  lastVerdict,
  outputsOf,
  reviewsOf,
  type StageOutput,
} from './rules/workflow-state.ts';
export { listWorkflows, loadWorkflow, registerWorkflow, type RegisterOptions } from './registry.ts';
export { messageOf, replyEvent, type StageReply, type Stamp } from './replies/message-of.ts';
export { replyTools } from './replies/reply-tools.ts';
export { taskText } from './replies/task-text.ts';
export { routeByRules } from './rules/stage-definition.ts';
export { architectureWorkflow } from './shipped/architecture.ts';
export { developmentWorkflow } from './shipped/development.ts';
export { researchWorkflow } from './shipped/research.ts';
export { evaluateStageCondition, registerCondition, type ConditionCheck } from './rules/stage-condition.ts';
export type { RoutingDecision, RoutingRule, StageDefinition as Workflow } from './rules/stage-definition.ts';
export type { TransitionGuard } from './rules/find-stage.ts';
export { standardGuards } from './rules/find-stage.ts';
export { validateDefinition } from './validate-definition.ts';
export {
  defaultWorkflowConfig,
  type StageCondition,
  type WorkflowConfig,
  type WorkflowDefinition,
  type WorkflowStage,
} from './rules/workflow-definition.ts';
export type {
  StageAgentState as AgentState,
  StageErrorCode,
  StageExecution,
  WorkflowError,
  WorkflowResult,
  StageWorkflowState as WorkflowState,
} from './rules/workflow-state.ts';
