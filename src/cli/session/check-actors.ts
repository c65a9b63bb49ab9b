import type { Problem } from '../../core/fault.ts';
import type { Role } from '../../core/role.ts';
import type { Workflow } from '../../core/workflow.ts';
import type { PlacedAgent } from '../../dialects/source/placed-agent.ts';
import { actorProblem } from '../config/choose-actor.ts';
import type { Config } from '../config/config.ts';

/** Whom workflows and roles want their agents played by, against those that are known here: told before a run begins. */
export function checkActors(
  workflows: readonly Workflow[],
  roles: Readonly<Record<string, Role>>,
  config: Config,
): readonly Problem[] {
  const told = new Set<string>();
  return workflows.flatMap((workflow) => {
    const file = workflow.file === undefined ? {} : { file: workflow.file };
    return workflow.agents.flatMap((agent: PlacedAgent): readonly Problem[] => {
      const role = roles[agent.role];
      const own = agent.actor === undefined ? null : actorProblem(agent.actor, config);
      const at = agent.at === undefined ? {} : { at: agent.at };
      if (own !== null) return [problem({ ...own, ...file, ...at, path: `agents.${agent.name}.actor` })];
      const isTold = agent.actor !== undefined || role?.actor === undefined || told.has(role.name);
      const ofRole = isTold ? null : actorProblem(role.actor, config);
      if (ofRole === null) return [];
      told.add(agent.role);
      const message = `The role "${agent.role}" names one that is not there. ${ofRole.message}`;
      return [problem({ ...ofRole, message, ...file, ...at, path: `roles.${agent.role}.actor` })];
    });
  });
}

type Found = Pick<Problem, 'message' | 'file' | 'at' | 'path' | 'hint'>;

const problem = (found: Found): Problem => ({ code: 'ACTOR_UNKNOWN', severity: 'error', ...found });
