import type { Problem } from '../../core/fault.ts';
import type { Role } from '../../core/role.ts';
import type { RolePart, RoleParts } from '../roles/role-part.ts';
import { drafted, type Drafted } from '../source/checked.ts';
import { isBeyond, MODE_RULES, type AgentMode } from './agent-mode.ts';
import type { AgentType, AgentTypes } from './agent-type.ts';
import { promptLineText } from './prompt-line.ts';

/** The roles that types are for the engine. None of them may take the name of one that is there already. */
export function rolesOfTypes(types: AgentTypes, taken: RoleParts): Drafted<RoleParts> {
  const free = Object.values(types).filter(({ name }) => !Object.hasOwn(taken, name));
  const hiding = Object.values(types).filter(({ name }) => Object.hasOwn(taken, name));
  const roles = Object.fromEntries(free.map((type) => [type.name, roleOfType(type)]));
  return drafted(roles, hiding.map(hidesRole));
}

function hidesRole({ name, files }: AgentType): Problem {
  return {
    code: 'ROLE_TWICE',
    message: `"${name}" is a role that comes with Troupe, so it cannot be a type too.`,
    severity: 'error',
    file: files.at(-1) ?? '',
    at: { line: 1, column: 1 },
    hint: `Give the type another name, or change the role: .troupe/roles/${name}.yaml`,
  };
}

function roleOfType(type: AgentType): RolePart {
  return { ...type.role, ...roleForMode(type, type.mode), inMode: (mode) => roleForMode(type, mode) };
}

/** What changes of a type's role when it works in a mode: its words, what its tools may do, which it has, and whom it may start. */
export function roleForMode(type: AgentType, mode: AgentMode): ModeChange {
  const { access, tools, tasks } = MODE_RULES[mode];
  const chosen = [...(type.tools ?? tools), ...type.moreTools].filter((tool) => !isBeyond(access, tool));
  return {
    systemMessage: promptLineText(type.promptIn(mode)),
    mode: access,
    includedTools: [...new Set(chosen)],
    tasks: type.role.tasks ?? tasks,
  };
}

type ModeChange = Pick<Role, 'systemMessage' | 'includedTools'> & Required<Pick<Role, 'mode' | 'tasks'>>;
