import type { Problem } from '../../core/fault.ts';
import type { Workflow } from '../../core/workflow.ts';
import { hasErrors } from '../source/checked.ts';
import type { ModuleContent } from './module-content.ts';
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
  return { workflows, problems: stages.flatMap(({ problems }) => problems.map((problem) => ({ ...problem, file }))) };
}
