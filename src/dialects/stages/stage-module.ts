import type { Problem } from '../../core/fault.ts';
import type { Workflow } from '../../core/workflow.ts';
import { hasErrors } from '../source/checked.ts';
import type { WorkflowStage } from '../../stages/stages.ts';
import type { ModuleContent, StageContent } from './module-content.ts';
import { plannedStages } from './planned-stages.ts';
import type { StageModule } from './stage-plan.ts';

export interface LoweredModule {
  readonly workflows: readonly Workflow[];
  readonly problems: readonly Problem[];
}

/** Those that are good, lowered, and all that is wrong with the others. */
export function lowerModule({ stages }: ModuleContent, at: StageModule & { readonly file: string }): LoweredModule {
  const { file, path, hash } = at;
  const workflows = stages.flatMap(({ definition, rules, problems }) =>
    hasErrors(problems) ? [] : plannedStages({ definition, rules, file, module: { path, hash }, fallback: {} }),
  );
  return {
    workflows,
    problems: stages.flatMap((stage) => stage.problems.map((problem) => ({ ...named(problem, stage), file }))),
  };
}

/** Nothing says where in a module a field was written, so the sentence names the field, stages by their names. */
function named(problem: Problem, { definition }: StageContent): Problem {
  if (problem.path === undefined || problem.path === '') return problem;
  const { stages } = definition as { readonly stages?: readonly (Partial<WorkflowStage> | null)[] };
  const path = problem.path.replace(/^stages\[(\d+)\]/, (index, at: string) => {
    const name: unknown = Array.isArray(stages) ? stages[Number(at)]?.name : undefined;
    return typeof name === 'string' && name !== '' ? `stages.${name}` : index;
  });
  const workflow: unknown = definition.name;
  const whose = typeof workflow === 'string' && workflow !== '' ? `${workflow}, ` : '';
  return { ...problem, path, message: `${whose}${path}: ${problem.message}` };
}
