import type { Problem } from '../core/model/fault.ts';
import type { Role } from '../core/model/role.ts';
import type { AgentSpec, PoolWork, Transition, TurnWork, Work, Workflow, WorkState } from '../core/model/workflow.ts';
import { repliesRead } from '../core/step/turn/owed-reply.ts';
import { WRITING_TOOLS } from '../source/roles/placed-role.ts';
import { nameHint } from '../source/closest-name.ts';
import { problemIn } from '../source/defined.ts';
import { familyOf } from './families.ts';

/** Agents that write in one folder at the same time take turns (Q9); the warning says how to run them in parallel. */
export function checkTurns(workflow: Workflow, roles: Readonly<Record<string, Role>>): readonly Problem[] {
  return Object.values(workflow.states).flatMap((state): readonly Problem[] => {
    if (state.kind === 'end' || state.work.kind !== 'pool') return [];
    return crowded(agentsIn(workflow, state.work), roles).map(([place, names]) => {
      const message = `${listed(names)} may write in ${place} at the same time in "${state.name}", so they take turns with their tools.`;
      const hint = 'Give each its own workspace and merge them, or roles with the mode "read".';
      return stateProblem({ workflow, state }, { code: 'WORKSPACE_TURNS', message, severity: 'warning', hint });
    });
  });
}

/** An agent that may only read cannot change files, so the demand would never count (L3). */
export function checkChanges(workflow: Workflow, roles: Readonly<Record<string, Role>>): readonly Problem[] {
  // Each agent type of a phase has its own mode, and outputs that fit it.
  if (familyOf(workflow).fitsModes) return [];
  return Object.values(workflow.states).flatMap((state): readonly Problem[] => {
    if (state.kind === 'end' || state.work.kind !== 'turn' || state.work.changes === undefined) return [];
    const { agent: name } = state.work;
    const role = roles[workflow.agents.find((agent) => agent.name === name)?.role ?? ''];
    if (role === undefined || mayWrite(role)) return [];
    const message = `"${state.name}" requires changed files, but its agent ${name} may only read.`;
    const hint = 'Remove "changes" from the state, or give the agent a role with the mode "write".';
    return [stateProblem({ workflow, state }, { code: 'CHANGES_NOT_ALLOWED', message, severity: 'warning', hint })];
  });
}

/** The agent of each turn that may run in parallel. */
function agentsIn({ agents }: Workflow, { units, slots }: PoolWork): readonly AgentSpec[] {
  if (slots < 2) return [];
  // A list of unknown length counts as two.
  const works = units.kind === 'items' ? [units.work, units.work] : units.list.map(({ work }) => work);
  const names = works.flatMap((work) => (work.kind === 'turn' && work.mode === 'ask' ? [work.agent] : []));
  return names.flatMap((name) => agents.filter((agent) => agent.name === name));
}

/** The workspaces with more than one writer, as a reader would call them, and who writes there. */
function crowded(
  agents: readonly AgentSpec[],
  roles: Readonly<Record<string, Role>>,
): readonly (readonly [string, readonly string[]])[] {
  const writers = new Map<string, string[]>();
  for (const { name, role, workspace = 'shared' } of agents) {
    if (!mayWrite(roles[role])) continue;
    const place = workspace === 'own' ? name : workspace;
    writers.set(place, [...(writers.get(place) ?? []), name]);
  }
  return [...writers]
    .filter(([, names]) => names.length > 1)
    .map(([place, names]) => [place === 'shared' ? 'the workspace of the run' : `the workspace "${place}"`, names]);
}

function mayWrite(role: Role | undefined): boolean {
  if (role === undefined || (role.mode ?? 'write') !== 'write') return false;
  const has = (tool: string) => !role.excludedTools.includes(tool) && (role.includedTools?.includes(tool) ?? true);
  return WRITING_TOOLS.some(has);
}

function listed(names: readonly string[]): string {
  const [first = '', ...others] = new Set(names);
  const last = others.at(-1);
  return last === undefined ? `Several turns of ${first}` : `${[first, ...others.slice(0, -1)].join(', ')} and ${last}`;
}

type Roles = Readonly<Record<string, Role>>;

/** Replies that a state declares and its agent cannot give, and ways out for text that the author may not have meant (A4). */
export function checkOwed(workflow: Workflow, roles: Roles): readonly Problem[] {
  return Object.values(workflow.states).flatMap((state): readonly Problem[] => {
    if (state.kind === 'end') return [];
    const place: Place = { workflow, state };
    return [...turnsIn(state.work).flatMap((turn) => checkDeclared(place, turn, roles)), ...checkTextWay(place, roles)];
  });
}

interface Place {
  readonly workflow: Workflow;
  readonly state: WorkState;
}

function turnsIn(work: Work): readonly TurnWork[] {
  switch (work.kind) {
    case 'turn':
      return [work];
    case 'choice':
      return Object.values(work.cases).flatMap(turnsIn);
    case 'pool':
      return work.units.kind === 'items'
        ? turnsIn(work.units.work)
        : work.units.list.flatMap((unit) => turnsIn(unit.work));
    default:
      return [];
  }
}

function checkDeclared(place: Place, { agent, reply = [] }: TurnWork, roles: Roles): readonly Problem[] {
  const role = roleOf(place.workflow, agent, roles);
  if (role === undefined) return [];
  const names = role.parsingTools.map(({ name }) => name);
  return reply
    .filter((name) => !names.includes(name))
    .map((name) => {
      const hint = nameHint(name, names) ?? `Give the role of "${agent}" a parsing tool "${name}".`;
      const message = `"${place.state.name}" ends with "${name}", but "${agent}" has no parsing tool of that name.`;
      return stateProblem(place, { code: 'REPLY_UNKNOWN', message, severity: 'error', hint });
    });
}

/** All other ways out wait for a reply: then the one without a condition is also that of plain text. */
function checkTextWay(place: Place, roles: Roles): readonly Problem[] {
  const { work, transitions } = place.state;
  if (work.kind !== 'turn' || work.mode !== 'ask' || work.reply !== undefined) return [];
  const role = roleOf(place.workflow, work.agent, roles);
  const open = transitions.find(isCatchAll);
  const { tools, isOnlyWay } = repliesRead({ transitions: transitions.filter((one) => !isCatchAll(one)) });
  const owed = tools.find((tool) => role?.parsingTools.some(({ name }) => name === tool));
  if (open === undefined || !isOnlyWay || owed === undefined || (role?.signals ?? []).length > 0) return [];
  const message = `Text alone leads from "${place.state.name}" to "${open.target}", because nothing there demands "${owed}".`;
  const hint = `Write reply: ${owed} to demand it, or reply: [] if text may lead there.`;
  return [stateProblem(place, { code: 'REPLY_OPTIONAL', message, severity: 'warning', hint })];
}

const isCatchAll = ({ when }: Transition): boolean => when === null || (when.kind === 'literal' && when.value === true);

function roleOf({ agents }: Workflow, name: string, roles: Roles): Role | undefined {
  const role = agents.find((agent) => agent.name === name)?.role ?? '';
  return Object.hasOwn(roles, role) ? roles[role] : undefined;
}

const stateProblem = ({ workflow, state }: Place, found: Problem): Problem =>
  problemIn(workflow, state.at, { ...found, path: `states.${state.name}` });
