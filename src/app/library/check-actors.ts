import type { FaultProblem } from '../../core/model/fault.ts';
import type { Workflow } from '../../core/model/workflow.ts';
import { withSubAgents } from '../../formats/check-roles.ts';
import type { PlacedRole } from '../../source/roles/placed-role.ts';
import type { PlacedAgent } from '../../source/model-parts.ts';
import { actorProblem } from '../config/choose-actor.ts';
import type { Config } from '../config/config.ts';
import { given } from '../config/setting-values.ts';
import { nameHint } from '../../source/closest-name.ts';
import { LEVELS } from '../config/choose-model.ts';
import { SERVER_PATTERN, serverIn } from '../../core/model/mcp-names.ts';
import type { Project } from '../config/project.ts';

type Roles = Readonly<Record<string, PlacedRole>>;

/** Reports, before a run begins, actors that workflows and roles name and that are unknown here. */
export function checkActors(workflows: readonly Workflow[], roles: Roles, config: Config): readonly FaultProblem[] {
  const agents = workflows.flatMap((workflow) => workflow.agents.map((agent) => ({ agent, workflow })));
  const below = agents.flatMap(({ agent }) => roles[agent.role]?.tasks ?? []);
  const played = agents.filter(({ agent }) => agent.actor === undefined).map(({ agent }) => agent.role);
  const ofRoles = checkRoleActors(withSubAgents([...played, ...below], roles), roles, config);
  return [
    ...agents.flatMap(({ agent, workflow }) => checkAgent(agent, workflow, config)),
    ...ofRoles.map((problem) => (problem.file === undefined ? { ...placeOf(problem, agents), ...problem } : problem)),
  ];
}

/** The same for these roles alone, reported at their source. */
export function checkRoleActors(names: Iterable<string>, roles: Roles, config: Config): readonly FaultProblem[] {
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

/** A role without a known file is reported where it is used. */
function placeOf({ path }: FaultProblem, agents: readonly Used[]): Pick<FaultProblem, 'file' | 'at'> {
  const used = agents.find(({ agent }) => actorPath(agent.role) === path);
  return used === undefined ? {} : placeOfAgent(used);
}

function checkAgent(agent: PlacedAgent, workflow: Workflow, config: Config): readonly FaultProblem[] {
  const found = agent.actor === undefined ? null : actorProblem(agent.actor, config);
  if (found === null) return [];
  const { actorAt: at } = agent;
  const place = { ...placeOfAgent({ agent, workflow }), ...(at === undefined ? {} : { at }) };
  return [problem({ ...found, ...place, path: `agents.${agent.name}.actor` })];
}

const placeOfAgent = ({ agent: { at }, workflow: { file } }: Used): Pick<FaultProblem, 'file' | 'at'> =>
  given({ file, at });

type Found = Pick<FaultProblem, 'message' | 'file' | 'at' | 'path' | 'hint'>;

const problem = (found: Found): FaultProblem => ({ code: 'ACTOR_UNKNOWN', severity: 'error', ...found });

/** Models that a workflow names for its own agents, against those of the settings: each once, where it is written. */
export function checkModelNames(workflows: readonly Workflow[], config: Config): readonly FaultProblem[] {
  const found = workflows.flatMap((workflow) =>
    workflow.agents.flatMap((agent: PlacedAgent): readonly FaultProblem[] => {
      const name = workflow.casts?.[agent.role]?.change.level;
      if (typeof name !== 'string' || isKnown(name, config) || isPlayedByClient(agent)) return [];
      return [unknownModel(name, config, { workflow, agent })];
    }),
  );
  return [...new Map(found.map((problem) => [JSON.stringify(problem), problem])).values()];
}

const isKnown = (name: string, { models }: Config): boolean => LEVELS.has(name) || Object.hasOwn(models, name);

/** A client has its own models. Whether the client exists is checked elsewhere. */
const isPlayedByClient = ({ actor }: PlacedAgent): boolean =>
  actor !== undefined && actor !== 'model' && actor !== 'scripted';

interface Where {
  readonly workflow: Workflow;
  readonly agent: PlacedAgent;
}

function unknownModel(name: string, { models }: Config, { workflow: { file }, agent: { at } }: Where): FaultProblem {
  const hint = nameHint(name, [...new Set([...Object.keys(models), ...LEVELS])]);
  return {
    code: 'MODEL_UNKNOWN',
    message: `There is no model named "${name}" in the configuration.`,
    severity: 'error',
    ...given({ hint, file, at }),
  };
}

/**
 * MCP servers that roles name in their lists of tools, against those in the configuration. Without its server a pattern stands
 * for no tool, so it is an error; a single name is a warning, because the rest of the list still holds.
 */
export function checkServerNames(
  names: Iterable<string>,
  roles: Readonly<Record<string, PlacedRole>>,
  servers: readonly string[],
): readonly FaultProblem[] {
  return [...names].flatMap((name) => {
    const role = roles[name];
    if (role === undefined) return [];
    const listed = [...(role.includedTools ?? []), ...role.excludedTools, ...(role.ask ?? [])];
    return [...new Set(listed)].flatMap((tool) => {
      const server = serverIn(tool);
      return server === null || servers.includes(server) ? [] : [unknownServer({ role, tool, server }, servers)];
    });
  });
}

/** Also those that wait for the user's trust. */
export function knownServers({ config, powers }: Pick<Project, 'config' | 'powers'>): readonly string[] {
  const withheld = powers.flatMap(({ setting }) => (setting.startsWith('mcp.') ? [setting.slice('mcp.'.length)] : []));
  return [...new Set([...Object.keys(config.mcp), ...withheld])];
}

interface Named {
  readonly role: PlacedRole;
  readonly tool: string;
  readonly server: string;
}

function unknownServer({ role, tool, server }: Named, servers: readonly string[]): FaultProblem {
  const hint = nameHint(server, servers) ?? 'Add the server under mcp in .troupe/config.yaml.';
  return {
    code: 'MCP_UNKNOWN',
    message: `The role "${role.name}" names "${tool}", but no MCP server named "${server}" is configured.`,
    severity: SERVER_PATTERN.test(tool) ? 'error' : 'warning',
    ...role.places?.[`tools.${tool}`],
    path: `roles.${role.name}.tools`,
    hint,
  };
}
