import type { Role, RoleMode } from '../../../core/model/role.ts';
import type { Activity } from '../../../core/record/agent-fact.ts';
import type { JsonObject } from '../../../core/model/json.ts';
import type { Usage } from '../../../core/model/usage.ts';
import { type ClientOrder, DESK_NAME } from '../../port.ts';
import { objectIn, objectListIn, stringIn } from '../../read-json.ts';

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
 * Tools by the role's rights. Other tools are not offered: the client's own ways to ask people, to plan, to schedule or to start
 * background sessions would bypass the engine.
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

/** Reports the client's tool calls as they continue, and collects its denials. */
export class ToolActivities {
  readonly denials: string[] = [];
  readonly #report: (activity: Activity) => void;
  readonly #open = new Map<string, Activity>();
  readonly #minions = new Map<string, Activity>();

  constructor(report: (activity: Activity) => void) {
    this.#report = report;
  }

  /** The only sub-agent of the turn, where it had no more. */
  get onlyMinion(): Activity | null {
    const [first, ...others] = this.#minions.values();
    return first !== undefined && others.length === 0 ? first : null;
  }

  begin(block: JsonObject, parent: string): void {
    const name = stringIn(block['name']);
    const input = objectIn(block['input']);
    const isMinion = MINION_TOOLS.includes(name);
    const line = isMinion ? stringIn(input['description']) : lineOfTool(input);
    this.#put({
      id: stringIn(block['id']),
      kind: isMinion ? 'minion' : 'tool',
      name: isMinion ? stringIn(input['subagent_type']) || 'agent' : ownToolName(name),
      status: 'running',
      ...(parent === '' ? {} : { parent }),
      ...(line === '' ? {} : { text: line }),
    });
  }

  /** `line` is the one that contains the result. */
  end(block: JsonObject, line: JsonObject, usageOf: (minion: string) => Usage): void {
    const known = this.#open.get(stringIn(block['tool_use_id']));
    if (known === undefined) return;
    const status = statusOf(block, line);
    if (status === 'denied') this.deny(known);
    const usage = known.kind === 'minion' ? { usage: usageOf(known.id) } : {};
    this.#put({ ...known, status, ...usage });
    this.#open.delete(known.id);
  }

  reportUsage(minion: Activity, usage: Usage): void {
    this.#put({ ...minion, usage });
  }

  deny({ name, text = '' }: Pick<Activity, 'name' | 'text'>): void {
    const denial = text === '' ? name : `${name}: ${text}`;
    if (!this.denials.includes(denial)) this.denials.push(denial);
  }

  #put(activity: Activity): void {
    if (activity.id === '') return;
    this.#open.set(activity.id, activity);
    if (activity.kind === 'minion') this.#minions.set(activity.id, activity);
    this.#report(activity);
  }
}

export const ownToolName = (name: string): string =>
  name.startsWith(DESK_PREFIX) ? name.slice(DESK_PREFIX.length) : name;

/** The one thing about a call that people want to see. */
export function lineOfTool(input: JsonObject): string {
  const text = SHOWN_ARGUMENTS.map((name) => stringIn(input[name])).find((value) => value !== '') ?? '';
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line;
}

const SHOWN_ARGUMENTS = [
  'command',
  'file_path',
  'notebook_path',
  'path',
  'pattern',
  'url',
  'query',
  'signal',
  'description',
];
const LONGEST_LINE = 200;

function statusOf(block: JsonObject, line: JsonObject): Activity['status'] {
  const meta = objectListIn(line['tool_result_meta']).find((each) => each['id'] === block['tool_use_id']);
  const isRejected = objectIn(meta?.['permission_decision'])['decision'] === 'reject';
  if (isRejected || SWITCHED_OFF.test(stringIn(block['content']))) return 'denied';
  return block['is_error'] === true ? 'failed' : 'ok';
}

/** A tool that the turn does not have, because the role may not use it. */
const SWITCHED_OFF = /^(?:<tool_use_error>)?Error: No such tool available: .* is disabled for this session/;
