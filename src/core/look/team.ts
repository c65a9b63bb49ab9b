import { callsIn, worksOf } from '../check/call-graph.ts';
import { listsTool } from '../model/mcp-names.ts';
import type { Role, RoleMode } from '../model/role.ts';
import type { Definition } from '../model/definition.ts';
import { subAgentRole, subAgentsOf } from '../model/sub-agent.ts';
import { TASK_TOOL } from '../model/tool-names.ts';
import type { AgentSpec, UnitWork, Work, Workflow } from '../model/workflow.ts';

/** An agent that may speak in a run, and where it works: read from the workflows, as the engine creates the workspaces. */
export interface Member {
  readonly agent: AgentSpec;
  readonly role: Role | undefined;
  readonly mode: RoleMode;
  /** The called workflow that has such an agent in every run; null if there is only one. */
  readonly unit: string | null;
  readonly place: Place;
  /** The agents that may start it; it works only then. */
  readonly starters?: readonly string[];
}

/** `unit`: every run of the called workflow has a workspace for all its agents. `starter`: a sub-agent has that of its starter. */
type Place = 'main' | 'unit' | 'own' | 'named' | 'starter';

/** By name of the workflow, since the order of a record's keys does not survive being stored. */
export function teamOf({ workflow, library, roles }: Definition): readonly Member[] {
  const others = Object.values(library).filter(({ name }) => name !== workflow.name);
  const workflows = [workflow, ...others.sort((one, other) => (one.name < other.name ? -1 : 1))];
  const calls = workflows.flatMap((one) => worksOf(one).flatMap((work) => callsFrom(work)));
  const members = workflows.flatMap((one) => speakersOf(one).map((agent) => memberOf(agent, { one, calls, roles })));
  const all = [...members, ...subAgentsBelow(members, roles)];
  const lines = new Map(all.map((member) => [memberLine(member), member]));
  return [...lines.values()];
}

/** The sub-agents of other roles, including those that sub-agents start. One with the same role is described by its starter. */
function subAgentsBelow(members: readonly Member[], roles: Definition['roles']): readonly Member[] {
  const found = new Map<string, Member & { readonly role: Role }>();
  const starters = members.flatMap(({ agent, role }) => (role === undefined ? [] : [{ name: agent.name, role }]));
  for (const { name: starter, role } of starters) {
    for (const name of canStart(role) ? subAgentsOf(role, roles) : []) {
      const base = roles[name];
      if (base === undefined || name === role.name) continue;
      const own = subAgentRole(base, role);
      const key = JSON.stringify([name, own.mode, own.network]);
      const known = found.get(key)?.starters ?? [];
      if (known.length === 0) starters.push({ name, role: own });
      const agent: AgentSpec = { name, role: name, context: name, side: 'assistant' };
      const all = [...new Set([...known, starter])];
      found.set(key, { agent, role: own, mode: own.mode ?? 'write', unit: null, place: 'starter', starters: all });
    }
  }
  return [...found.values()];
}

const canStart = ({ includedTools, excludedTools }: Role): boolean =>
  !listsTool(excludedTools, TASK_TOOL) && (includedTools === null || listsTool(includedTools, TASK_TOOL));

interface FoundCall {
  readonly workflow: string;
  readonly isOwn: boolean;
  readonly isPool: boolean;
}

const callsFrom = (work: Work): readonly FoundCall[] =>
  callsIn(work).map((call) => ({
    workflow: call.workflow,
    isOwn: call.workspace === 'own',
    isPool: work.kind === 'pool',
  }));

/** Some agents only give a workspace its name. */
function speakersOf(workflow: Workflow): readonly AgentSpec[] {
  const speaking = new Set(worksOf(workflow).flatMap(agentsIn));
  return speaking.size === 0 ? workflow.agents : workflow.agents.filter(({ name }) => speaking.has(name));
}

function agentsIn(work: Work | UnitWork): readonly string[] {
  if (work.kind === 'turn') return [work.agent];
  if (work.kind === 'choice') return Object.values(work.cases).flatMap(agentsIn);
  if (work.kind !== 'pool') return [];
  return work.units.kind === 'fixed'
    ? work.units.list.flatMap((unit) => agentsIn(unit.work))
    : agentsIn(work.units.work);
}

interface MemberPlace {
  readonly one: Workflow;
  readonly calls: readonly FoundCall[];
  readonly roles: Definition['roles'];
}

function memberOf(agent: AgentSpec, { one, calls, roles }: MemberPlace): Member {
  const role = roles[agent.role];
  const own = calls.filter(({ workflow }) => workflow === one.name);
  const isUnit = own.some(({ isOwn }) => isOwn);
  const workspace = agent.workspace ?? 'shared';
  const shared = isUnit ? 'unit' : 'main';
  return {
    agent,
    role,
    mode: role?.mode ?? 'write',
    unit: isUnit || own.some(({ isPool }) => isPool) ? one.name : null,
    place: workspace === 'shared' ? shared : workspace === 'own' ? 'own' : 'named',
  };
}

export function memberLine({ agent, role, mode, unit, place, starters = [] }: Member): string {
  const { name, workspace = '' } = agent;
  // A role that exists only in one workflow is called `workflow:role`.
  const roleName = (role?.name ?? agent.role).replace(/^.*:/, '');
  const where = {
    main: '',
    unit: ', in its workspace',
    own: ', in its own workspace',
    named: `, in the workspace ${workspace}`,
    starter: ', in the workspace of its starter',
  };
  const part = partOf({ agent, unit });
  const about = [
    roleName === name ? '' : `role ${roleName}`,
    part === null ? '' : `one in each \`${part}\``,
    starters.length === 0 ? '' : `sub-agent of ${starters.join(', ')}`,
  ].filter(Boolean);
  return `- ${name}${about.length === 0 ? '' : ` (${about.join(', ')})`}: mode ${mode}${where[place]}`;
}

/** The part of the work that has such an agent each time, as agents read it: a phase has the name of its agent. */
export function partOf({ agent, unit }: Pick<Member, 'agent' | 'unit'>): string | null {
  const part = unit?.slice(unit.lastIndexOf('/') + 1) ?? null;
  return part === agent.name ? null : part;
}

/** Where the files of these agents are, a paragraph for each kind of workspace. */
export function workspaceLines(members: readonly Member[], test: string | undefined): readonly string[] {
  const places = new Set(members.map(({ place }) => place).filter((place) => place !== 'starter'));
  const named = new Map(
    members.flatMap(({ agent, place }) => (place === 'named' ? [[agent.workspace ?? '', agent]] : [])),
  );
  const units = new Set(members.flatMap(({ unit, place }) => (place === 'unit' && unit !== null ? [unit] : [])));
  return [
    ...(places.has('main') ? [places.size === 1 ? ALL_SHARE : SOME_SHARE] : []),
    ...Array.from(units, unitLine),
    ...(places.has('own') ? [OWN] : []),
    ...Array.from(named, ([name, agent]) => namedLine(name, agent, test)),
  ];
}

const ALL_SHARE = 'All agents share one workspace: that copy, with every change made so far.';
const SOME_SHARE =
  'Agents for which the list above names no workspace share one: that copy, with every change made or merged so far.';
const OWN =
  'An agent with its own workspace starts there from the files of the run. Other agents change nothing in it.';

const unitLine = (unit: string): string =>
  `Each \`${unit}\` has its own workspace, made when it starts from the files of the run at that moment: it holds what was merged before. Agents outside it see its changes once the engine has merged them.`;

function namedLine(name: string, { folders }: AgentSpec, test: string | undefined): string {
  if (folders === undefined) return `The agents in the workspace ${name} share it.`;
  const [first = ''] = folders;
  return `In place of the project, the workspace ${name} holds a folder with all files of each of: ${folders.join(', ')}. Change into a folder before you run a command of the project, such as \`cd ${first} && ${test ?? 'ls'}\`.`;
}
