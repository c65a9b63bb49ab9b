import type { FaultCode } from '../core/codes/codes.ts';
import type { Problem } from '../core/model/fault.ts';
import { listsTool } from '../core/model/mcp-names.ts';
import type { Role } from '../core/model/role.ts';
import { type Mode, modeOffers, modeRefusal, type ToolRefusal } from './mode.ts';
import type { Tool, ToolServices } from './port.ts';
import { SETTLE_CONFLICT } from './engine-tools.ts';
import { TASK_TOOL } from '../core/model/tool-names.ts';

/** The tools a role may use, and a problem for each name in its lists that is not a tool. */
export function toolsFor(
  role: RoleTools,
  tools: readonly Tool[],
): { tools: readonly Tool[]; problems: readonly Problem[] } {
  return {
    tools: tools.filter((tool) => mayUse(role, tools, tool)),
    problems: unknownTools(
      role,
      tools.map(({ spec }) => spec.name),
    ),
  };
}

/** A problem for each name in the lists of a role that is not among these tools. */
export function unknownTools(role: RoleTools, known: readonly string[]): readonly Problem[] {
  const names = new Set(known);
  return LISTS.flatMap((list) => unknownNames(role, list, names));
}

/** Everything that the lists of a role name. */
export const namesIn = (role: RoleTools): readonly string[] => LISTS.flatMap((list) => role[list] ?? []);

/** The tools that work with the configured services. */
export function usableTools(tools: readonly Tool[], services: ToolServices = {}): readonly Tool[] {
  return tools.filter((tool) => tool.isUsable?.(services) !== false);
}

function mayUse(role: RoleTools, tools: readonly Tool[], tool: Tool): boolean {
  const { spec } = tool;
  if (listsTool(role.excludedTools, spec.name) || !modeOffers(role.mode ?? 'write', tool)) return false;
  // A role that may start no sub-agents could only be refused.
  if (spec.name === TASK_TOOL && role.tasks?.length === 0) return false;
  if (spec.name === SETTLE_CONFLICT) return tools.some((other) => changesFiles(other) && mayUse(role, tools, other));
  return role.includedTools === null || listsTool(role.includedTools, spec.name);
}

/** A role that may change files may also decide which version of a file counts. */
const changesFiles = ({ spec, access }: Tool): boolean =>
  (access === 'write' || access === 'command') && spec.name !== SETTLE_CONFLICT;

type RoleTools = Pick<Role, 'name' | 'includedTools' | 'excludedTools' | 'ask' | 'tasks'> & { readonly mode?: Mode };

const LISTS = ['includedTools', 'excludedTools', 'ask'] as const;

/** Why the agent may not use the tool it asked for, in words it understands; null when it may. */
export function toolRefusal(role: RoleTools, tools: readonly Tool[], name: string): ToolRefusal | null {
  const tool = tools.find(({ spec }) => spec.name === name);
  if (tool === undefined) return unknownTool(name);
  const beyond = modeRefusal(role.mode ?? 'write', tool);
  if (beyond !== null) return beyond;
  if (listsTool(role.excludedTools, name)) {
    return { code: 'TOOL_EXCLUDED', reason: `${name} was taken away from your role.` };
  }
  if (!mayUse(role, tools, tool)) {
    return { code: 'TOOL_NOT_INCLUDED', reason: `${name} is not among the tools of your role.` };
  }
  return null;
}

const unknownTool = (name: string): ToolRefusal => ({
  code: 'TOOL_UNKNOWN',
  reason: `There is no tool ${JSON.stringify(name.slice(0, 100))}.`,
});

const NOT_OFFERED: ReadonlySet<FaultCode> = new Set(['TOOL_UNKNOWN', 'TOOL_EXCLUDED', 'TOOL_NOT_INCLUDED']);

/** A refusal with what to call instead, of the tools in the agent's request: other advice would be refused again. */
export function withAdvice(refusal: ToolRefusal, name: string, offered: readonly string[]): ToolRefusal {
  if (!NOT_OFFERED.has(refusal.code)) return refusal;
  const nearest = refusal.code === 'TOOL_UNKNOWN' ? nearestTool(name, offered) : undefined;
  const list = offered.length === 0 ? 'You have no tools.' : `Your tools are ${offered.join(', ')}.`;
  return { ...refusal, reason: `${refusal.reason} ${nearest === undefined ? list : `Did you mean ${nearest}?`}` };
}

function unknownNames(role: RoleTools, list: (typeof LISTS)[number], names: ReadonlySet<string>): readonly Problem[] {
  return (role[list] ?? []).flatMap((name, at) =>
    [...names].some((tool) => listsTool([name], tool)) ? [] : [unknownName(role, { name, at, list, names })],
  );
}

function unknownName(
  role: RoleTools,
  found: { readonly name: string; readonly at: number; readonly list: string; readonly names: ReadonlySet<string> },
): Problem {
  return {
    code: 'TOOL_UNKNOWN',
    message: `The role ${role.name} names the tool "${found.name}", which does not exist.`,
    severity: 'error',
    path: `${found.list}[${found.at}]`,
    hint: `The tools are ${[...found.names].join(', ')}.`,
  };
}

/**
 * The tool an agent most likely meant by an unknown name. Models do not mistype: they use a name from another system, or other word
 * order or spelling. So words are compared rather than letters, and well-known names are listed.
 */
export function nearestTool(wrong: string, names: readonly string[]): string | undefined {
  const words = wordsOf(wrong.slice(0, MAX_NAME));
  const known = names.find((name) => ELSEWHERE[name]?.split(' ').includes(words.join('_')));
  if (known !== undefined) return known;
  const ranked = names
    .map((name) => ({ name, likeness: likeness(pairsOf(words), pairsOf(wordsOf(name))) }))
    .sort((a, b) => b.likeness - a.likeness);
  const best = ranked[0];
  return best !== undefined && best.likeness >= NEAR_ENOUGH ? best.name : undefined;
}

const MAX_NAME = 100;
const NEAR_ENOUGH = 0.5;

/** Names of our tools in other systems. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  execute_terminal: 'bash shell run exec terminal run_command execute_command run_shell_command run_terminal_cmd',
  read_file: 'read cat view open',
  write_file: 'write create create_file',
  edit_file: 'edit replace str_replace apply_patch',
  list_files: 'ls list_dir list_directory',
  glob: 'find find_files',
  grep: 'search search_files ripgrep',
  web_fetch: 'fetch fetch_url',
  todo_write: 'todo update_plan',
  task: 'agent spawn_agent',
};

/** `readFile`, `Read-File` and `read_file` are two words. */
function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

function pairsOf(words: readonly string[]): ReadonlySet<string> {
  return new Set(words.flatMap((word) => Array.from(`^${word}`, (_, at) => `^${word}$`.slice(at, at + 2))));
}

function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((pair) => b.has(pair)).length;
  return a.size + b.size === 0 ? 0 : (2 * shared) / (a.size + b.size);
}
