import { join } from 'node:path';
import { Fault, type Problem } from '../../core/model/fault.ts';
import type { Role, RoleMode } from '../../core/model/role.ts';
import { AGENT_MODES, type AgentMode, MODE_RULES } from '../../source/agent-types/agent-mode.ts';
import { type AgentType, type AgentTypes, roleForMode } from '../../source/agent-types/agent-type.ts';
import { type PromptLine, promptLineText } from '../../source/agent-types/prompt-library.ts';
import { findRolePrompt } from '../../source/agent-types/role-prompt.ts';
import { findAssets } from '../../formats/load-assets.ts';
import { draftOf, hasErrors } from '../../source/checked.ts';
import { nameHint } from '../../source/closest-name.ts';
import { listsTool } from '../../core/model/mcp-names.ts';
import { allTools } from '../../tools/all-tools.ts';
import type { Tool } from '../../tools/port.ts';
import { SETTLE_CONFLICT } from '../../tools/engine-tools.ts';
import { toolsFor, usableTools } from '../../tools/tools-for.ts';
import { type Config, webServices } from '../config/config.ts';
import { lookAtTools } from '../world/look-at-servers.ts';
import { loadProjectRoles, readProjectRoles, readProjectTypes, rolePlaces } from './project-roles.ts';
import type { ProjectView } from './project-trust.ts';
import { oneLine } from '../../protocol/plain-text.ts';

/** An agent's system prompt with the source of each line, and the permissions that hold regardless of the prompt. */
export interface ShownPrompt {
  readonly name: string;
  readonly kind: 'type' | 'role';
  readonly preset: string | null;
  readonly mode: AgentMode | null;
  readonly layers: readonly string[];
  readonly level: string;
  readonly actor: string | null;
  readonly access: RoleMode;
  /** Of those that come with Troupe, of the project, and of MCP servers. */
  readonly tools: readonly string[];
  readonly tasks: readonly string[];
  readonly prompt: string;
  readonly lines: readonly PromptLine[];
}

export interface WantedPrompt {
  readonly name: string;
  readonly mode?: string;
}

export async function showPrompt(wanted: WantedPrompt, view: ProjectView): Promise<ShownPrompt> {
  const [roles, read] = await Promise.all([loadProjectRoles(view), readProjectTypes([view.project.root])]);
  const types = draftOf(read) ?? {};
  const role = Object.hasOwn(roles, wanted.name) ? roles[wanted.name] : undefined;
  if (role === undefined) throw unknownName(wanted.name, Object.keys(roles));
  const type = Object.hasOwn(types, wanted.name) ? types[wanted.name] : undefined;
  const lines = await findRolePrompt(role, [
    ...rolePlaces(view.project, [view.project.root]).toReversed(),
    join(findAssets(), 'roles'),
  ]);
  const { config } = view.project;
  const added = await lookAtTools(view);
  if (type === undefined) {
    refuseMode(wanted, types);
    return shown(role, { kind: 'role', preset: null, mode: null, layers: [], lines, config, added });
  }
  const mode = wanted.mode === undefined ? type.mode : modeOf(wanted.mode);
  const { preset, layers } = type;
  const cast = castOf(type, role, mode);
  return shown(cast.role, { kind: 'type', preset, mode, layers, lines: cast.lines ?? lines, config, added });
}

function unknownName(name: string, known: readonly string[]): Fault {
  return new Fault('ROLE_UNKNOWN', `There is no type of agent and no role named "${name}".`, {
    hint: `${nameHint(name, known) ?? ''} See them with: troupe prompt list`.trim(),
  });
}

function refuseMode({ name, mode }: WantedPrompt, types: AgentTypes): void {
  if (mode === undefined) return;
  throw new Fault('USAGE', `"${name}" is a role, and only types of agents have modes.`, {
    hint: `The types are ${Object.keys(types).join(', ')}.`,
  });
}

function modeOf(text: string): AgentMode {
  const mode = AGENT_MODES.find((known) => known === text.toUpperCase());
  if (mode !== undefined) return mode;
  throw new Fault('USAGE', `There is no mode "${text}".`, {
    hint: nameHint(text, AGENT_MODES) ?? `There are: ${AGENT_MODES.join(', ')}.`,
  });
}

/** As a run has it: a project's own role of the name goes over the type, and another mode over both. */
function castOf(type: AgentType, role: Role, mode: AgentMode): { role: Role; lines: readonly PromptLine[] | null } {
  const composed = type.promptIn(mode);
  if (mode !== type.mode) return { role: { ...role, ...roleForMode(type, mode) }, lines: composed };
  return { role, lines: role.systemMessage === promptLineText(composed) ? composed : null };
}

type Around = Pick<ShownPrompt, 'kind' | 'preset' | 'mode' | 'layers' | 'lines'> & {
  readonly config: Config;
  readonly added: readonly Tool[];
};

function shown(role: Role, { config, added, lines, ...around }: Around): ShownPrompt {
  const { tools } = toolsFor(role, [...usableTools(allTools, webServices(config)), ...added]);
  const names = tools.map(({ spec }) => spec.name);
  return {
    name: role.name,
    ...around,
    level: role.level,
    actor: role.actor ?? null,
    access: role.mode ?? 'write',
    tools: names.filter((name) => name !== SETTLE_CONFLICT && !listsTool(config.excludedTools, name)),
    tasks: names.includes('task') ? (role.tasks ?? [role.name]) : [],
    prompt: role.systemMessage,
    lines,
  };
}

export interface ListedPrompt {
  readonly name: string;
  readonly kind: 'type' | 'role';
  readonly mode: AgentMode | null;
  readonly access: RoleMode;
  readonly preset: string | null;
  readonly origin: 'project' | 'shipped';
  readonly description: string;
}

/** The types of agents, then the plain roles. */
export async function listPrompts(
  view: ProjectView,
): Promise<{ readonly prompts: readonly ListedPrompt[]; readonly warnings: readonly Problem[] }> {
  const [read, found] = await Promise.all([readProjectRoles(view), readProjectTypes([view.project.root])]);
  if (hasErrors(read.problems)) {
    throw new Fault('ROLES_INVALID', 'The roles of the project have errors.', { problems: read.problems });
  }
  const types = draftOf(found) ?? {};
  const originOf = (name: string) => (read.own.includes(name) ? 'project' : 'shipped');
  const roles = Object.values(read.roles).filter(({ name }) => !Object.hasOwn(types, name));
  const prompts = [
    ...Object.values(types).map((type) => ofType(type, originOf(type.name), read.roles[type.name])),
    ...roles.map((role) => ofRole(role, originOf(role.name))),
  ];
  return { prompts, warnings: read.problems };
}

type Origin = ListedPrompt['origin'];

function ofType(type: AgentType, origin: Origin, role: Role | undefined): ListedPrompt {
  const { name, mode, preset, description } = type;
  const { access } = MODE_RULES[mode];
  return { name, kind: 'type', mode, access: role?.mode ?? access, preset, origin, description };
}

function ofRole({ name, mode, systemMessage }: Role, origin: Origin): ListedPrompt {
  const description = oneLine(systemMessage, 120);
  return { name, kind: 'role', mode: null, access: mode ?? 'write', preset: null, origin, description };
}
