import type { Problem } from '../../core/fault.ts';
import type { Workflow } from '../../core/workflow.ts';
import { withSubAgents } from '../../dialects/check-roles.ts';
import type { PlacedRole } from '../../dialects/roles/placed-role.ts';
import type { PlacedAgent } from '../../dialects/source/placed-agent.ts';
import { actorProblem } from '../config/choose-actor.ts';
import type { Config } from '../config/config.ts';

type Roles = Readonly<Record<string, PlacedRole>>;

/** Whom workflows and roles want their agents played by, against those that are known here: told before a run begins. */
export function checkActors(workflows: readonly Workflow[], roles: Roles, config: Config): readonly Problem[] {
  const agents = workflows.flatMap((workflow) => workflow.agents.map((agent) => ({ agent, workflow })));
  const below = agents.flatMap(({ agent }) => roles[agent.role]?.tasks ?? []);
  const played = agents.filter(({ agent }) => agent.actor === undefined).map(({ agent }) => agent.role);
  const ofRoles = checkRoleActors(withSubAgents([...played, ...below], roles), roles, config);
  return [
    ...agents.flatMap(({ agent, workflow }) => checkAgent(agent, workflow, config)),
    ...ofRoles.map((problem) => (problem.file === undefined ? { ...placeOf(problem, agents), ...problem } : problem)),
  ];
}

/** The same of these roles alone, told where they were written. */
export function checkRoleActors(names: Iterable<string>, roles: Roles, config: Config): readonly Problem[] {
  return [...names].flatMap((name) => {
    const role = roles[name];
    const found = role?.actor === undefined ? null : actorProblem(role.actor, config);
    if (found === null) return [];
    const message = `The role "${name}" names one that is not there. ${found.message}`;
    return [problem({ ...found, message, ...role?.places?.['actor'], path: actorPath(name) })];
  });
}

const actorPath = (role: string): string => `roles.${role}.actor`;

interface Used {
  readonly agent: PlacedAgent;
  readonly workflow: Workflow;
}

/** A role that no file is known of is told where it is used. */
function placeOf({ path }: Problem, agents: readonly Used[]): Pick<Problem, 'file' | 'at'> {
  const used = agents.find(({ agent }) => actorPath(agent.role) === path);
  return used === undefined ? {} : placeOfAgent(used);
}

function checkAgent(agent: PlacedAgent, workflow: Workflow, config: Config): readonly Problem[] {
  const found = agent.actor === undefined ? null : actorProblem(agent.actor, config);
  if (found === null) return [];
  const { actorAt: at } = agent;
  const place = { ...placeOfAgent({ agent, workflow }), ...(at === undefined ? {} : { at }) };
  return [problem({ ...found, ...place, path: `agents.${agent.name}.actor` })];
}

const placeOfAgent = ({ agent: { at }, workflow: { file } }: Used): Pick<Problem, 'file' | 'at'> => ({
  ...(file === undefined ? {} : { file }),
  ...(at === undefined ? {} : { at }),
});

type Found = Pick<Problem, 'message' | 'file' | 'at' | 'path' | 'hint'>;

const problem = (found: Found): Problem => ({ code: 'ACTOR_UNKNOWN', severity: 'error', ...found });
