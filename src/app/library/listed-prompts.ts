import { Fault, type Problem } from '../../core/fault.ts';
import type { Role, RoleMode } from '../../core/role.ts';
import { MODE_RULES, type AgentMode } from '../../dialects/agent-types/agent-mode.ts';
import type { AgentType } from '../../dialects/agent-types/agent-type.ts';
import { draftOf, hasErrors } from '../../dialects/source/checked.ts';
import { readProjectRoles } from './project-roles.ts';
import type { ProjectView } from './project-trust.ts';
import { readProjectTypes } from './project-types.ts';
import { oneLine } from '../../protocol/plain-text.ts';

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
