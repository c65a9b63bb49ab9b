import type { Problem } from '../../core/fault.ts';
import type { Workflow } from '../../core/workflow.ts';
import { validateDefinition, type Workflow as StageWorkflow } from '../../stages/stages.ts';
import { hasErrors } from '../source/checked.ts';
import { withConditions, type ImportedModule } from './import-module.ts';
import { plannedStages } from './planned-stages.ts';
import type { StageModule } from './stage-plan.ts';

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

export interface LoweredModule {
  readonly workflows: readonly Workflow[];
  readonly problems: readonly Problem[];
}

/** Those that are good, lowered, and all that is wrong with the others. */
export function lowerModule(module: ImportedModule, at: StageModule & { readonly file: string }): LoweredModule {
  const { file, path, hash } = at;
  const problems: Problem[] = [];
  const workflows = stageWorkflowsOf(module).flatMap((workflow) => {
    const found = withConditions(module, () => validateDefinition(workflow));
    problems.push(...found.map((problem) => ({ ...problem, file })));
    if (hasErrors(found)) return [];
    return plannedStages({ definition: workflow.definition, file, module: { path, hash }, fallback: {} });
  });
  return { workflows, problems };
}
