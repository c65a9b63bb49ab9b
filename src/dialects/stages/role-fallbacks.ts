import type { Role } from '../../core/role.ts';
import type { Workflow } from '../../core/workflow.ts';
import { lowerStages } from './lower-stages.ts';
import type { StagePlan } from './stage-plan.ts';

const plans = new WeakMap<Workflow, StagePlan>();

/** The workflows of a plan; the first one can be lowered again when the roles are known. */
export function plannedStages(plan: StagePlan): readonly Workflow[] {
  const workflows = lowerStages(plan);
  const [whole] = workflows;
  if (whole !== undefined) plans.set(whole, plan);
  return workflows;
}

/** With the agents that the project's roles name as their fallbacks. */
export function withRoleFallbacks(
  workflows: Iterable<Workflow>,
  roles: Readonly<Record<string, Role>>,
): readonly Workflow[] {
  return [...workflows].flatMap((workflow) => {
    const plan = plans.get(workflow);
    const fallback = plan === undefined ? {} : fallbacksOf(plan, roles);
    if (plan === undefined || Object.keys(fallback).length === 0) return [workflow];
    return lowerStages({ ...plan, fallback: { ...fallback, ...plan.fallback } });
  });
}

function fallbacksOf({ definition }: StagePlan, roles: Readonly<Record<string, Role>>): StagePlan['fallback'] {
  const played = new Set(definition.stages.map(({ agent }) => agent));
  return Object.fromEntries(
    [...played].flatMap((name) => {
      const fallback = Object.hasOwn(roles, name) ? roles[name]?.fallback : undefined;
      return fallback === undefined || fallback.length === 0 ? [] : [[name, fallback]];
    }),
  );
}
