import type { Problem } from '../../core/model/fault.ts';
import { narrower, type Role } from '../../core/model/role.ts';
import type { PlacedRole, RolePart, RoleParts } from '../roles/placed-role.ts';
import { drafted, type Drafted } from '../checked.ts';
import { type AgentMode, isBeyond, MODE_RULES } from './agent-mode.ts';
import { type PromptLine, promptLineText } from './prompt-library.ts';

/** A kind of agent (PH3): a mode, a prompt made of layers, and the settings of a role. It is lowered to a role of its name. */
export interface AgentType {
  readonly name: string;
  readonly description: string;
  readonly preset: string | null;
  readonly mode: AgentMode;
  readonly layers: readonly string[];
  /** Instead of the tools of its mode. */
  readonly tools: readonly string[] | null;
  /** Besides them. */
  readonly moreTools: readonly string[];
  /** Level, actor and whatever else a role has. */
  readonly role: RolePart;
  /** Where it was written, the shipped file first. */
  readonly files: readonly string[];
  readonly promptIn: (mode: AgentMode) => readonly PromptLine[];
}

export type AgentTypes = Readonly<Record<string, AgentType>>;

/** The roles that types are for the engine. None of them may take the name of one that is there already. */
export function rolesOfTypes(types: AgentTypes, taken: RoleParts): Drafted<RoleParts> {
  const free = Object.values(types).filter(({ name }) => !Object.hasOwn(taken, name));
  const hiding = Object.values(types).filter(({ name }) => Object.hasOwn(taken, name));
  const roles = Object.fromEntries(free.map((type) => [type.name, roleOfType(type)]));
  return drafted(roles, hiding.map(hidesRole));
}

function hidesRole({ name, files }: AgentType): Problem {
  return {
    code: 'ROLE_DUPLICATE',
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

/** What changes of a role that works in a mode. A plain role keeps its words, and of what it may do no more than the mode allows. */
export function changeInMode(role: PlacedRole, mode: AgentMode): Partial<Omit<Role, 'name'>> {
  if (role.inMode !== undefined) return role.inMode(mode);
  return { mode: narrower(role.mode, MODE_RULES[mode].access) };
}
