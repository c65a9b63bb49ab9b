import { DESK_NAME } from '../desk-name.ts';
import type { Role, RoleMode } from '../../../core/role.ts';
import type { ClientOrder } from '../../client-port.ts';

export const DESK_PREFIX = `mcp__${DESK_NAME}__`;

/** Which of the client's own tools there are in a turn, and what it must ask for. */
export interface ToolChoice {
  readonly offered: readonly string[];
  /** Used without a question: the sandbox bounds what they can do. */
  readonly allowed: readonly string[];
  /** Named as well as not offered, so that the client says to its model that they are switched off. */
  readonly disallowed: readonly string[];
  readonly asked: readonly string[];
}

/**
 * By what the role may do. What is not listed here is not offered: the client's own ways to ask people, to plan, to schedule
 * or to start sessions in the background would go past the engine.
 */
export function chooseTools(role: Role, order: Pick<ClientOrder, 'mode' | 'network' | 'desk'>): ToolChoice {
  const inMode = [...OF_MODE[order.mode], ...(order.network ? WEB : [])];
  const included = role.includedTools === null ? null : new Set(role.includedTools.flatMap(clientNames));
  const excluded = new Set(role.excludedTools.flatMap(clientNames));
  const offered = inMode.filter((name) => (included === null || included.has(name)) && !excluded.has(name));
  const asked = (role.ask ?? []).flatMap(clientNames).filter((name) => offered.includes(name));
  return {
    offered,
    allowed: [
      ...offered.filter((name) => !asked.includes(name)),
      ...(order.desk?.tools ?? []).map((name) => `${DESK_PREFIX}${name}`),
    ],
    disallowed: [...OF_MODE.write, ...WEB, ...NEVER].filter((name) => !offered.includes(name)),
    asked,
  };
}

/** It has had several names for the same in its time; those it does not know it passes over. */
const READING = ['Read', 'Glob', 'Grep', 'LS', 'NotebookRead'];
const PLANNING = ['TodoWrite', 'TodoRead', 'TaskCreate', 'TaskUpdate', 'TaskList', 'TaskGet'];
export const MINION_TOOLS: readonly string[] = ['Task', 'Agent'];
const COMMANDS = ['Bash', 'BashOutput', 'KillShell'];
const WRITING = ['Edit', 'MultiEdit', 'Write', 'NotebookEdit'];
const WEB = ['WebFetch', 'WebSearch'];
const NEVER = ['AskUserQuestion', 'EnterPlanMode', 'ExitPlanMode', 'EnterWorktree', 'Workflow', 'ScheduleWakeup'];

const OF_MODE: Readonly<Record<RoleMode, readonly string[]>> = {
  read: [...READING, ...PLANNING, ...MINION_TOOLS],
  commands: [...READING, ...PLANNING, ...MINION_TOOLS, ...COMMANDS],
  write: [...READING, ...PLANNING, ...MINION_TOOLS, ...COMMANDS, ...WRITING],
};

/** Roles name the engine's tools; these are the client's that do the same. */
const SAME: Readonly<Record<string, readonly string[]>> = {
  read_file: ['Read', 'NotebookRead'],
  list_files: ['LS', 'Glob'],
  glob: ['Glob'],
  grep: ['Grep'],
  execute_terminal: COMMANDS,
  write_file: ['Write'],
  edit_file: ['Edit', 'MultiEdit', 'NotebookEdit'],
  web_fetch: ['WebFetch'],
  web_search: ['WebSearch'],
  todo_write: PLANNING,
  task: MINION_TOOLS,
};

const clientNames = (name: string): readonly string[] => SAME[name] ?? [name];
