import { getStageDefinition } from './find-stage.ts';
import type { StageDefinition } from './stage-workflow.ts';
import type { WorkflowDefinition } from './workflow-definition.ts';
import type { StageWorkflowState } from './workflow-state.ts';

/**
 * A `getNextStage` for a workflow that is routed by a table: the entry stage at first, then the stage to which the newest
 * output leads. Null while a stage is under way, and at the end.
 */
export function nextByRules(
  definition: WorkflowDefinition,
  routeMessage: StageDefinition['routeMessage'],
): StageDefinition['getNextStage'] {
  return (state) => {
    const last = state.stageHistory.at(-1);
    if (last === undefined) return definition.entryStage;
    if (last.status !== 'complete') return null;
    const output = state.messages?.findLast(({ id }) => last.outputMessageIds.includes(id));
    if (output === undefined) return null;
    // Routing may change the state; asking must not.
    const copy: StageWorkflowState = { ...structuredClone(state), currentStage: last.stageName };
    const to = routeMessage(output.from, output, copy).stageTransition?.to;
    return to === undefined || getStageDefinition(definition, to) === undefined ? null : to;
  };
}
