import type { Workflow } from '../../core/workflow.ts';
import { architectureWorkflow, developmentWorkflow, researchWorkflow } from '../../stages/stages.ts';
import { plannedStages } from './planned-stages.ts';

/** The stage workflows that come with Troupe, by all their names. */
export function shippedStages(): readonly Workflow[] {
  const all = [
    { definition: researchWorkflow.definition },
    { definition: developmentWorkflow.definition },
    { definition: architectureWorkflow.definition },
    { definition: architectureWorkflow.definition, alias: 'architect' },
  ];
  return all.flatMap((one) => plannedStages({ ...one, module: null, fallback: {} }));
}
