import { getStageDefinition, getStageMaxIterations, hasCompleted } from './find-stage.ts';
import type { TransitionGuard } from './stage-workflow.ts';
import type { WorkflowDefinition } from './workflow-definition.ts';

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
