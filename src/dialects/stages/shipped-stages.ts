import type { Workflow } from '../../core/workflow.ts';
import { architectureWorkflow, developmentWorkflow, researchWorkflow } from '../../stages/stages.ts';
import { ruleRowsOf } from '../../stages/rule-rows.ts';
import { plannedStages } from './planned-stages.ts';

/** The stage workflows that come with Troupe, by all their names. */
export function shippedStages(): readonly Workflow[] {
  const all = [
    { workflow: researchWorkflow },
    { workflow: developmentWorkflow },
    { workflow: architectureWorkflow },
    { workflow: architectureWorkflow, more: { alias: 'architect' } },
  ];
  return all.flatMap(({ workflow, more = {} }) => {
    const { definition } = workflow;
    return plannedStages({ definition, rules: ruleRowsOf(workflow), ...more, module: null, fallback: {} });
  });
}
