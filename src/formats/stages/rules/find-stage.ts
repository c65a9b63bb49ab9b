import type { AgentMessage, AgentRole } from './agent-message.ts';
import type { WorkflowDefinition, WorkflowStage } from './workflow-definition.ts';
import type { StageWorkflowState } from './workflow-state.ts';

export function getStageDefinition(workflow: WorkflowDefinition, stageName: string): WorkflowStage | undefined {
  return workflow.stages.find(({ name }) => name === stageName);
}

/** How often a stage may run; Infinity where nothing bounds it. */
export function getStageMaxIterations(workflow: WorkflowDefinition, stageName: string): number {
  return getStageDefinition(workflow, stageName)?.maxIterations ?? Infinity;
}

/** The agents of the stages under way, and of the current one; none when the workflow has ended. */
export function getActiveAgents(workflow: WorkflowDefinition, state: StageWorkflowState): AgentRole[] {
  if (state.status !== 'running') return [];
  const running = state.stageHistory.filter(({ status }) => status === 'running').map(({ stageName }) => stageName);
  const agents = [state.currentStage, ...running].flatMap((name) => getStageDefinition(workflow, name)?.agent ?? []);
  return [...new Set(agents)];
}

/** The stage was carried out to its end at least once. */
export function hasCompleted(state: StageWorkflowState, stageName: string): boolean {
  return state.stageHistory.some((execution) => execution.stageName === stageName && execution.status === 'complete');
}

/** The document's two guards, for `guards` of a workflow or to be called from its own `routeMessage`. */
export function standardGuards(definition: WorkflowDefinition): TransitionGuard[] {
  return [maxIterationsNotExceeded(definition), previousStageComplete(definition)];
}

function maxIterationsNotExceeded(definition: WorkflowDefinition): TransitionGuard {
  return {
    name: 'maxIterationsNotExceeded',
    check: ({ iterationCounts, currentStage }) =>
      (iterationCounts.get(currentStage) ?? 0) < getStageMaxIterations(definition, currentStage),
    errorMessage: 'Maximum revision iterations exceeded',
  };
}

function previousStageComplete(definition: WorkflowDefinition): TransitionGuard {
  return {
    name: 'previousStageComplete',
    check: (state) =>
      getStageDefinition(definition, state.currentStage)?.inputFrom?.every((stage) => hasCompleted(state, stage)) ??
      true,
    errorMessage: 'Required input stages not complete',
  };
}

export interface TransitionGuard {
  name: string;
  check: (state: StageWorkflowState, message: AgentMessage) => boolean;
  errorMessage: string;
}
