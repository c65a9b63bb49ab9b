import type { Problem } from '../core/fault.ts';
import { subAgentsOf } from '../core/sub-agent.ts';
import type { Workflow } from '../core/workflow.ts';
import type { PlacedRole, RolePlace } from './roles/placed-role.ts';
import { closestName, nameHint } from './source/closest-name.ts';
import type { PlacedAgent } from './source/placed-agent.ts';

type Roles = Readonly<Record<string, PlacedRole>>;

/** The roles that agents name, against those that exist. */
export function checkAgentRoles(workflow: Workflow, roles: Roles): readonly Problem[] {
  return workflow.agents.flatMap((agent) => {
    if (Object.hasOwn(roles, agent.role)) return [];
    const message = `There is no ${wordFor(workflow)} named "${agent.role}".`;
    const path = `agents.${agent.name}`;
    const place = placeOfAgent(workflow, agent);
    return [unknownRole(agent.role, { message, path, place, roles, hint: roleHint(workflow, agent.role, roles) })];
  });
}

/** In phase files roles are called by what they are there. */
export const wordFor = ({ dialect }: Workflow): string => (dialect === 'phases' ? 'agent type' : 'role');

/** What was meant; in a phase file also all the types there are. */
export function roleHint({ dialect }: Workflow, wrong: string, roles: Roles): string | undefined {
  const hint = nameHint(wrong, Object.keys(roles));
  if (dialect === 'stages') return [hint, makeHint(wrong)].filter((part) => part !== undefined).join(' ');
  if (dialect !== 'phases') return hint;
  const types = Object.values(roles).flatMap(({ name, inMode }) => (inMode === undefined ? [] : [name]));
  const closest = closestName(wrong, Object.keys(roles));
  const meant = closest === undefined ? [] : [`Did you mean "${closest}"?`];
  return types.length === 0 ? hint : [...meant, `Agent types: ${[...new Set(types)].toSorted().join(', ')}.`].join(' ');
}

/** Who writes stages names the roles himself, and most of them are yet to be made. */
const makeHint = (role: string): string | undefined =>
  /^[\w-]+$/.test(role) ? `To make the role, say what it does in .troupe/roles/${role}.md.` : undefined;

/**
 * The roles that these roles name: whom they may ask for, and whom they may start as sub-agents. One that does not exist could
 * never be granted. It is told where the role was written, else where `workflows` use the role.
 */
export function checkNamedRoles(
  names: Iterable<string>,
  roles: Roles,
  workflows: readonly Workflow[] = [],
): readonly Problem[] {
  return [...names].flatMap((name) => {
    const role = roles[name];
    if (role === undefined) return [];
    const placeOf = ({ list, index }: NamedRole) => role.places?.[`${list}[${index}]`] ?? placeOfRole(name, workflows);
    const unknown = LISTS.flatMap((list) => unknownIn(role, list, roles)).map((found) => {
      const { wanted, list } = found;
      const message = `The role "${name}" ${VERBS[list]} "${wanted}", but there is no role of that name.`;
      return unknownRole(wanted, { message, path: `roles.${name}.${list}`, place: placeOf(found), roles });
    });
    return [...unknown, ...writing(role, roles).map((found) => ({ ...writes(name, found.wanted), ...placeOf(found) }))];
  });
}

/** Of those that a role may start: who is there to write, where the role itself may not. */
function writing(role: PlacedRole, roles: Roles): readonly NamedRole[] {
  const fitting = subAgentsOf(role, roles);
  const isLeftOut = (wanted: string): boolean => Object.hasOwn(roles, wanted) && !fitting.includes(wanted);
  return (role.tasks ?? []).flatMap((wanted, index) => (isLeftOut(wanted) ? [{ wanted, list: 'tasks', index }] : []));
}

const writes = (name: string, wanted: string): Problem => ({
  code: 'SUB_AGENT_WRITES',
  message: `The role "${name}" may not write, so it cannot start sub-agents of the role "${wanted}", whose mode is write.`,
  severity: 'warning',
  path: `roles.${name}.tasks`,
  hint: `Take "${wanted}" out of its tasks, or give "${name}" the mode write.`,
});

/** Roles that take part, and those that they may start sub-agents of. */
export function withSubAgents(first: Iterable<string>, roles: Roles): ReadonlySet<string> {
  const used = new Set(first);
  // A set gives what is added while it is gone through, too.
  for (const name of used) {
    const role = roles[name];
    if (role !== undefined) for (const below of subAgentsOf(role, roles)) used.add(below);
  }
  return used;
}

const LISTS = ['followups', 'tasks', 'fallback'] as const;

type List = (typeof LISTS)[number];

const VERBS: Readonly<Record<List, string>> = {
  followups: 'may ask for',
  tasks: 'may start sub-agents of the role',
  fallback: 'falls back to',
};

interface NamedRole {
  readonly wanted: string;
  readonly list: List;
  readonly index: number;
}

function unknownIn(role: PlacedRole, list: List, roles: Roles): readonly NamedRole[] {
  return (role[list] ?? []).flatMap((wanted, index) => (Object.hasOwn(roles, wanted) ? [] : [{ wanted, list, index }]));
}

/** Where a workflow brings the role in: better than nowhere, for a role that was not read from a file. */
function placeOfRole(name: string, workflows: readonly Workflow[]): Partial<RolePlace> {
  for (const workflow of workflows) {
    const agent = workflow.agents.find(({ role }) => role === name);
    if (agent !== undefined) return placeOfAgent(workflow, agent);
  }
  return {};
}

function placeOfAgent({ file }: Workflow, { at }: PlacedAgent): Partial<RolePlace> {
  return { ...(file === undefined ? {} : { file }), ...(at === undefined ? {} : { at }) };
}

interface Unknown extends Pick<Problem, 'message' | 'path'> {
  readonly place: Partial<RolePlace>;
  readonly roles: Roles;
  readonly hint?: string | undefined;
}

function unknownRole(name: string, { message, path, place, roles, hint: given }: Unknown): Problem {
  const hint = given ?? nameHint(name, Object.keys(roles));
  return {
    code: 'ROLE_UNKNOWN',
    message,
    severity: 'error',
    ...place,
    ...(path === undefined ? {} : { path }),
    ...(hint === undefined ? {} : { hint }),
  };
}
