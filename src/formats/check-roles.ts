import type { Position, Problem } from '../core/model/fault.ts';
import { subAgentsOf } from '../core/model/sub-agent.ts';
import type { Cast, Workflow } from '../core/model/workflow.ts';
import { PLAIN_ROLE, type PlacedRole, type RolePlace } from '../source/roles/placed-role.ts';
import { nameHint } from '../source/closest-name.ts';
import { defined, problemIn } from '../source/defined.ts';
import type { PlacedAgent } from '../source/model-parts.ts';
import { AGENT_MODES } from '../source/agent-types/agent-mode.ts';
import { changeInMode } from '../source/agent-types/agent-type.ts';
import { familyOf } from './families.ts';

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

const wordFor = (workflow: Workflow): string => familyOf(workflow).roleWord ?? 'role';

function roleHint(workflow: Workflow, wrong: string, roles: Roles): string | undefined {
  const similar = nameHint(wrong, Object.keys(roles));
  const { roleHint: hintOf } = familyOf(workflow);
  return hintOf === undefined ? similar : hintOf(wrong, roles, similar);
}

/**
 * Checks the roles that these roles name: those they may ask for, and those they may start as sub-agents. A missing role could never
 * be granted. It is reported where the role was written, else where `workflows` use the role.
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
      const { named, list } = found;
      const message = `The role "${name}" ${VERBS[list]} "${named}", but there is no role of that name.`;
      return unknownRole(named, { message, path: `roles.${name}.${list}`, place: placeOf(found), roles });
    });
    return [...unknown, ...writing(role, roles).map((found) => ({ ...writes(name, found.named), ...placeOf(found) }))];
  });
}

/** The roles that a role may start and that may write although the role itself may not. */
function writing(role: PlacedRole, roles: Roles): readonly NamedRole[] {
  const fitting = subAgentsOf(role, roles);
  const isLeftOut = (named: string): boolean => Object.hasOwn(roles, named) && !fitting.includes(named);
  return (role.tasks ?? []).flatMap((named, index) => (isLeftOut(named) ? [{ named, list: 'tasks', index }] : []));
}

const writes = (name: string, named: string): Problem => ({
  code: 'SUB_AGENT_WRITES',
  message: `The role "${name}" may not write, so it cannot start sub-agents of the role "${named}", whose mode is write.`,
  severity: 'warning',
  path: `roles.${name}.tasks`,
  hint: `Take "${named}" out of its tasks, or give "${name}" the mode write.`,
});

/** Roles that take part, and those that they may start sub-agents of. */
export function withSubAgents(first: Iterable<string>, roles: Roles): ReadonlySet<string> {
  const used = new Set(first);
  // Iterating a set includes elements added meanwhile.
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
  readonly named: string;
  readonly list: List;
  readonly index: number;
}

function unknownIn(role: PlacedRole, list: List, roles: Roles): readonly NamedRole[] {
  return (role[list] ?? []).flatMap((named, index) => (Object.hasOwn(roles, named) ? [] : [{ named, list, index }]));
}

/** The place where a workflow uses the role, for a role that was not read from a file. */
function placeOfRole(name: string, workflows: readonly Workflow[]): Partial<RolePlace> {
  for (const workflow of workflows) {
    const agent = workflow.agents.find(({ role }) => role === name);
    if (agent !== undefined) return placeOfAgent(workflow, agent);
  }
  return {};
}

const placeOfAgent = ({ file }: Workflow, { at }: PlacedAgent): Partial<RolePlace> => defined({ file, at });

interface Unknown extends Pick<Problem, 'message' | 'path'> {
  readonly place: Partial<RolePlace>;
  readonly roles: Roles;
  readonly hint?: string | undefined;
}

function unknownRole(name: string, { message, path, place, roles, hint }: Unknown): Problem {
  const meant = hint ?? nameHint(name, Object.keys(roles));
  return problemIn(place, place.at, { code: 'ROLE_UNKNOWN', message, path, hint: meant });
}

/** The roles of the project and those that workflows derive from them. A missing role is reported where it is needed. */
export function withCasts(
  roles: Roles,
  workflows: readonly Workflow[],
): { readonly roles: Roles; readonly problems: readonly Problem[] } {
  const casts = workflows.flatMap((workflow) =>
    Object.entries(workflow.casts ?? {}).map(([name, cast]) => ({ workflow, name, cast })),
  );
  const made = casts.map(({ name, cast }) => [name, { ...castOf(roles, cast), name }] as const);
  return { roles: { ...roles, ...Object.fromEntries(made) }, problems: casts.flatMap((one) => problemsIn(one, roles)) };
}

interface NamedCast {
  readonly workflow: Workflow;
  readonly name: string;
  readonly cast: Cast;
}

function castOf(roles: Roles, { of, change, agentMode, networkOf = '' }: Cast): PlacedRole {
  const base = (Object.hasOwn(roles, of) ? roles[of] : undefined) ?? MISSING_ROLE;
  const mode = AGENT_MODES.find((known) => known === agentMode);
  const network = base.network ?? (Object.hasOwn(roles, networkOf) ? roles[networkOf]?.network : undefined);
  return {
    ...base,
    ...(network === undefined ? {} : { network }),
    ...(mode === undefined ? {} : changeInMode(base, mode)),
    ...change,
  };
}

function problemsIn(named: NamedCast, roles: Roles): readonly Problem[] {
  const { of, agentMode } = named.cast;
  const isKnown = agentMode === undefined || AGENT_MODES.some((known) => known === agentMode);
  return [
    ...(Object.hasOwn(roles, of) ? [] : [unknownBase(named, roles)]),
    ...(isKnown ? [] : [unknownMode(named, agentMode)]),
  ];
}

/** Replaces a missing role, so that it is reported only once. */
const MISSING_ROLE: PlacedRole = { name: '', ...PLAIN_ROLE };

function unknownMode(cast: NamedCast, mode: string): Problem {
  const message = `There is no mode named "${mode}".`;
  const hint = nameHint(mode, AGENT_MODES);
  return problemIn(cast.workflow, placeOf(cast), { code: 'MODE_UNKNOWN', message, path: `casts.${cast.name}`, hint });
}

function unknownBase(named: NamedCast, roles: Roles): Problem {
  const { workflow, cast } = named;
  const message = `There is no ${wordFor(workflow)} named "${cast.of}".`;
  const hint = roleHint(workflow, cast.of, roles);
  return problemIn(workflow, placeOf(named), { code: 'ROLE_UNKNOWN', message, path: `casts.${cast.of}`, hint });
}

/** A cast stands where the agent is that plays it. */
function placeOf({ workflow, name }: NamedCast): Position | undefined {
  const agents: readonly PlacedAgent[] = workflow.agents;
  return agents.find(({ role }) => role === name)?.at;
}
