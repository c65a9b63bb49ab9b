import { PROJECT_READING_TOOLS, WEB_TOOLS } from '../../core/model/tool-names.ts';
import type { RoleMode } from '../../core/model/role.ts';

/** What an agent does (PH3). A mode decides which tools exist; no prompt can change that. */
export type AgentMode = (typeof AGENT_MODES)[number];

export const AGENT_MODES = ['PLANNING', 'EXECUTION', 'VERIFICATION', 'FIX', 'RESEARCH', 'ORCHESTRATION'] as const;

export interface ModeRules {
  /** What the tools may do at all, including those that a type adds. */
  readonly access: RoleMode;
  readonly tools: readonly string[];
  /** The types that sub-agents may have. */
  readonly tasks: readonly string[];
}

const WRITING = ['write_file', 'edit_file'] as const;

const EXPLORING: ModeRules = {
  access: 'read',
  tools: [...PROJECT_READING_TOOLS, ...WEB_TOOLS, 'task'],
  tasks: ['research'],
};
const BUILDING: ModeRules = {
  access: 'write',
  tools: [...PROJECT_READING_TOOLS, ...WRITING, 'execute_terminal', 'task'],
  tasks: ['fix'],
};

export const MODE_RULES: Readonly<Record<AgentMode, ModeRules>> = {
  PLANNING: EXPLORING,
  EXECUTION: BUILDING,
  VERIFICATION: {
    access: 'commands',
    tools: [...PROJECT_READING_TOOLS, 'execute_terminal', 'task'],
    tasks: ['research'],
  },
  FIX: BUILDING,
  RESEARCH: EXPLORING,
  ORCHESTRATION: {
    access: 'read',
    tools: [...PROJECT_READING_TOOLS, 'todo_write', 'task'],
    tasks: ['planning', 'research'],
  },
};

/** Of the tools that come with Troupe, those that could never work in a mode. A test compares it with the tools. */
export function isBeyond(access: RoleMode, tool: string): boolean {
  if (access === 'write') return false;
  return NEEDS_WRITE.has(tool) || (access === 'read' && tool === 'execute_terminal');
}

const NEEDS_WRITE: ReadonlySet<string> = new Set([...WRITING, 'settle_conflict']);

/** Types, presets and layers are files too. In lower case they cannot be mistaken for a mode, on any file system. */
export const isPartName = (name: string): boolean => /^[a-z][a-z0-9_-]{0,63}$/.test(name);
