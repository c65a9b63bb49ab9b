import type { JsonObject } from '../../../core/model/json.ts';
import type { Activity } from '../../../core/record/agent-fact.ts';
import { DESK_NAME } from '../../port.ts';
import { hasFailedExit, objectIn, objectListIn, stringIn } from '../../read-json.ts';
import type { StoryListener } from '../client-turn.ts';
import { TurnStory } from '../turn-story.ts';
import { lineOfTool, MINION_TOOLS } from '../claude/claude-tools.ts';

/** A tool call as reported so far: its first report may be a request for permission. */
export interface KnownTool {
  readonly id: string;
  /** As the agent calls it; empty where it has no name for it. */
  readonly name: string;
  /** In the terms of the protocol: `read`, `edit`, `execute` … */
  readonly kind: string;
  readonly title: string;
  readonly input: JsonObject;
  readonly isDesk: boolean;
}

/** Reports the agent's tool calls as they continue, and collects its denials. */
export class AcpTools {
  readonly denials: string[] = [];
  readonly #report: (activity: Activity) => void;
  readonly #deskTools: readonly string[];
  /** Everything reported about a call, by its id: later updates contain only changes. */
  readonly #calls = new Map<string, JsonObject>();
  readonly #denied = new Set<string>();
  readonly #last = new Map<string, string>();

  constructor(report: (activity: Activity) => void, deskTools: readonly string[]) {
    this.#report = report;
    this.#deskTools = deskTools;
  }

  read(update: JsonObject): void {
    const call = this.#merge(update);
    const id = stringIn(call['toolCallId']);
    if (id === '') return;
    const known = this.#known(id, call);
    const parent = stringIn(claudeMeta(call)['parentToolUseId']);
    const isMinion = MINION_TOOLS.includes(known.name);
    const line = isMinion ? stringIn(known.input['description']) : this.#line(known, call);
    this.#put({
      id,
      kind: isMinion ? 'minion' : 'tool',
      name: isMinion ? stringIn(known.input['subagent_type']) || 'agent' : shownName(known),
      status: this.#denied.has(id) ? 'denied' : statusOf(call),
      ...(parent === '' ? {} : { parent }),
      ...(line === '' ? {} : { text: line }),
    });
  }

  /** A question about a call, which some agents ask before they speak of it otherwise. */
  asked(toolCall: JsonObject): KnownTool {
    this.read(toolCall);
    const id = stringIn(toolCall['toolCallId']);
    return this.#known(id, this.#calls.get(id) ?? toolCall);
  }

  deny(tool: KnownTool): void {
    this.#denied.add(tool.id);
    const call = this.#calls.get(tool.id) ?? {};
    const line = this.#line(tool, call);
    this.denials.push(line === '' ? shownName(tool) : `${shownName(tool)}: ${line}`);
    this.read(call);
  }

  /** Agents repeat themselves with every piece of output. */
  #put(activity: Activity): void {
    const words = JSON.stringify(activity);
    if (this.#last.get(activity.id) === words) return;
    this.#last.set(activity.id, words);
    this.#report(activity);
  }

  #merge(update: JsonObject): JsonObject {
    const id = stringIn(update['toolCallId']);
    const changed = Object.entries(update).filter(([, value]) => value !== null);
    const before = this.#calls.get(id) ?? {};
    const _meta = { ...objectIn(before['_meta']), ...objectIn(update['_meta']) };
    const call = { ...before, ...Object.fromEntries(changed), _meta };
    if (id !== '') this.#calls.set(id, call);
    return call;
  }

  #known(id: string, call: JsonObject): KnownTool {
    const name = stringIn(call['name']) || stringIn(claudeMeta(call)['toolName']);
    const [title, kind] = [stringIn(call['title']), stringIn(call['kind'])];
    const input = objectIn(call['rawInput']);
    const isDesk = !OWN_KINDS.has(kind) && this.#deskTool(`${name} ${title}`) !== undefined;
    return { id, name: isDesk ? (this.#deskTool(`${name} ${title}`) ?? name) : name, kind, title, input, isDesk };
  }

  #deskTool(words: string): string | undefined {
    return words.includes(DESK_NAME) ? this.#deskTools.find((tool) => words.includes(tool)) : undefined;
  }

  #line({ input, title, name }: KnownTool, call: JsonObject): string {
    const place = stringIn(objectListIn(call['locations'])[0]?.['path']);
    const line = lineOfTool(input) || place;
    return line === '' && name !== '' && title !== name ? lineOfTool({ description: title }) : line;
  }
}

/** Kinds of the agent's own tools: such a call is never the desk, whatever its name. */
const OWN_KINDS = new Set(['read', 'edit', 'delete', 'move', 'search', 'execute', 'fetch', 'switch_mode']);

function shownName({ name, kind, title }: KnownTool): string {
  return name || (kind === '' || kind === 'other' ? title : kind) || 'tool';
}

function statusOf(call: JsonObject): Activity['status'] {
  if (call['status'] === 'completed') return isFailedCommand(call) ? 'failed' : 'ok';
  return call['status'] === 'failed' ? 'failed' : 'running';
}

/** The protocol has no field for an exit code: agents put it into their raw output or their own notes. */
function isFailedCommand({ kind, rawOutput, _meta }: JsonObject): boolean {
  if (kind !== 'execute') return false;
  const output = objectIn(rawOutput);
  return hasFailedExit(output, objectIn(output['metadata']), objectIn(objectIn(_meta)['terminal_exit']));
}

/** Collects the updates of one turn; ignores unknown kinds. */
export class AcpStory extends TurnStory {
  readonly tools: AcpTools;
  /** For the whole conversation, in dollars; null until the agent reports it. */
  conversationCost: number | null = null;
  #messages: string[] = [];
  #lastMessage = '';
  #isInterrupted = true;

  constructor(listener: StoryListener, deskTools: readonly string[]) {
    super(listener);
    this.tools = new AcpTools(listener.onActivity, deskTools);
  }

  /** The last thing that it said. */
  get lastWords(): string {
    return this.#messages.at(-1) ?? '';
  }

  read(update: JsonObject): void {
    switch (update['sessionUpdate']) {
      case 'agent_message_chunk':
        return this.#chunk(update);
      case 'tool_call':
      case 'tool_call_update':
        this.#isInterrupted = true;
        return this.tools.read(update);
      case 'usage_update':
        return this.readCost(update);
    }
  }

  /** Only the cost counts before the turn begins: the rest is history. */
  readCost(update: JsonObject): void {
    const { amount, currency } = objectIn(update['cost']);
    if (typeof amount === 'number' && currency === 'USD') this.conversationCost = amount;
  }

  /** An empty line separates messages: where the agent says so, or where it used a tool in between. */
  #chunk(update: JsonObject): void {
    const content = objectIn(update['content']);
    const words = content['type'] === 'text' ? stringIn(content['text']) : '';
    if (words === '' || isOfMinion(update)) return;
    const { kind } = claudeMeta(update);
    // Words of the client's own, in the place of the model's.
    if (typeof kind === 'string') return this.notice(kind, words);
    const id = stringIn(update['messageId']);
    if (this.#isInterrupted || id !== this.#lastMessage) {
      if (this.#messages.length > 0) this.listener.onText('\n\n');
      this.#messages.push('');
    }
    this.#isInterrupted = false;
    this.#lastMessage = id;
    this.#messages[this.#messages.length - 1] += words;
    this.listener.onText(words);
  }
}

const isOfMinion = (update: JsonObject): boolean => stringIn(claudeMeta(update)['parentToolUseId']) !== '';

const claudeMeta = (update: JsonObject): JsonObject => objectIn(objectIn(update['_meta'])['claudeCode']);

/** One agent says whether it could reach the servers that it was given; the protocol has no words for it. */
export function isDeskDown(update: JsonObject): boolean {
  const { kind, server, status } = claudeMeta(update);
  return kind === 'mcpServerStatus' && server === DESK_NAME && status !== 'connected';
}
