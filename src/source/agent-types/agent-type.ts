import type { Problem } from '../../core/model/fault.ts';
import { narrower, type Role } from '../../core/model/role.ts';
import type { PlacedRole, RolePart, RoleParts } from '../roles/placed-role.ts';
import { drafted, type Drafted } from '../checked.ts';
import { type AgentMode, isBeyond, MODE_RULES } from './agent-mode.ts';
import { type PromptLine, promptLineText } from './prompt-library.ts';

/** A kind of agent (PH3): a mode, a prompt made of layers, and the settings of a role. It is lowered to a role with its name. */
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

/** The roles that types become for the engine. None may take the name of an existing one. */
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

/** What changes of a type's role in a mode: its prompt, its access, its tools, and the sub-agents it may start. */
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

/** What changes of a role in a mode. A plain role keeps its prompt, and its access is limited by the mode. */
export function changeInMode(role: PlacedRole, mode: AgentMode): Partial<Omit<Role, 'name'>> {
  if (role.inMode !== undefined) return role.inMode(mode);
  return { mode: narrower(role.mode, MODE_RULES[mode].access) };
}
