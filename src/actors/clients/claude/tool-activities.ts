import type { Activity } from '../../../core/agent-fact.ts';
import type { JsonObject } from '../../../core/json.ts';
import type { Usage } from '../../../core/usage.ts';
import { objectIn, objectListIn, stringIn } from '../read-json.ts';
import { DESK_PREFIX, MINION_TOOLS } from './claude-tools.ts';

/** What the client does with its tools, told as it goes on; and what it was not let do. */
export class ToolActivities {
  readonly denials: string[] = [];
  readonly #tell: (activity: Activity) => void;
  readonly #open = new Map<string, Activity>();
  readonly #minions = new Map<string, Activity>();

  constructor(tell: (activity: Activity) => void) {
    this.#tell = tell;
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

  /** `line` is the one in which the result came. */
  end(block: JsonObject, line: JsonObject, usageOf: (minion: string) => Usage): void {
    const known = this.#open.get(stringIn(block['tool_use_id']));
    if (known === undefined) return;
    const status = statusOf(block, line);
    if (status === 'denied') this.deny(known);
    const usage = known.kind === 'minion' ? { usage: usageOf(known.id) } : {};
    this.#put({ ...known, status, ...usage });
    this.#open.delete(known.id);
  }

  tellUsage(minion: Activity, usage: Usage): void {
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
    this.#tell(activity);
  }
}

export const ownToolName = (name: string): string =>
  name.startsWith(DESK_PREFIX) ? name.slice(DESK_PREFIX.length) : name;

/** The one thing about a call that people want to see. */
export function lineOfTool(input: JsonObject): string {
  const told = TELLING.map((name) => stringIn(input[name])).find((value) => value !== '') ?? '';
  const line = told.replace(/\s+/g, ' ').trim();
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line;
}

const TELLING = ['command', 'file_path', 'notebook_path', 'path', 'pattern', 'url', 'query', 'signal', 'description'];
const LONGEST_LINE = 200;

function statusOf(block: JsonObject, line: JsonObject): Activity['status'] {
  const meta = objectListIn(line['tool_result_meta']).find((each) => each['id'] === block['tool_use_id']);
  const isRejected = objectIn(meta?.['permission_decision'])['decision'] === 'reject';
  if (isRejected || SWITCHED_OFF.test(stringIn(block['content']))) return 'denied';
  return block['is_error'] === true ? 'failed' : 'ok';
}

/** A tool that the turn does not have, because the role may not use it. */
const SWITCHED_OFF = /^(?:<tool_use_error>)?Error: No such tool available: .* is disabled for this session/;
