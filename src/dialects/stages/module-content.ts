import type { Problem } from '../../core/fault.ts';
import type { Workflow } from '../../core/workflow.ts';
import { validateDefinition, type Workflow as StageWorkflow, type WorkflowDefinition } from '../../stages/stages.ts';
import { ruleRowsOf, type RuleRow } from '../../stages/rule-rows.ts';
import { workflowsOfModule } from '../source/workflow-module.ts';
import { withConditions, type ImportedModule } from './import-module.ts';

/** What a module holds, as plain JSON: it may have been loaded elsewhere, and its functions stay where they are. */
export interface ModuleContent {
  /** Made by `defineWorkflow`. */
  readonly native: readonly Workflow[];
  readonly stages: readonly StageContent[];
}

export interface StageContent {
  readonly definition: WorkflowDefinition;
  /** The rows of its routing table, where it has one. */
  readonly rules: readonly RuleRow[];
  readonly problems: readonly Problem[];
}

export function moduleContent(module: ImportedModule): ModuleContent {
  return {
    native: workflowsOfModule(module.exports),
    stages: stageWorkflowsOf(module).map((workflow) => ({
      definition: workflow.definition,
      rules: ruleRowsOf(workflow),
      problems: withConditions(module, () => validateDefinition(workflow)),
    })),
  };
}

/** The stage workflows of a module: what it exports, by name, as the default or in a list, and what it registered. */
export function stageWorkflowsOf({ exports, registered }: ImportedModule): readonly StageWorkflow[] {
  const { default: first, ...named } = (exports ?? {}) as Readonly<Record<string, unknown>>;
  const found = [first, ...Object.values(named)].flat().filter(isStageWorkflow);
  return [...new Set([...found, ...registered])];
}

function isStageWorkflow(value: unknown): value is StageWorkflow {
  if (typeof value !== 'object' || value === null) return false;
  const { definition, routeMessage } = value as Partial<StageWorkflow>;
  return typeof definition === 'object' && definition !== null && typeof routeMessage === 'function';
}
