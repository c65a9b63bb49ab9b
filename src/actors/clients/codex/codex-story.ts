import type { Activity } from '../../../core/record/agent-fact.ts';
import type { Json, JsonObject } from '../../../core/model/json.ts';
import type { Usage } from '../../../core/model/usage.ts';
import { DESK_NAME } from '../../port.ts';
import { hasFailedExit, objectIn, objectListIn, stringIn } from '../../read-json.ts';
import type { StoryListener } from '../client-turn.ts';
import { TypedLineStory } from '../turn-story.ts';
import { threadUsage } from './thread-account.ts';

/** The activity that an item of the stream reports; none for text and thoughts. */
function itemActivities(item: JsonObject): readonly Activity[] {
  const type = stringIn(item['type']);
  if (type === 'collab_tool_call') return minionActivities(item);
  if (type === 'error') return [notice(item)];
  const shown = TOOLS[type]?.(item);
  if (shown === undefined) return [];
  const line = clipped(shown.line);
  return [
    {
      id: stringIn(item['id']),
      kind: 'tool',
      name: shown.name,
      status: statusOf(item),
      ...(line === '' ? {} : { text: line }),
    },
  ];
}

interface ShownTool {
  readonly name: string;
  readonly line: string;
}

const TOOLS: Readonly<Record<string, (item: JsonObject) => ShownTool>> = {
  command_execution: (item) => ({ name: 'command', line: withoutShell(stringIn(item['command'])) }),
  file_change: (item) => ({
    name: 'apply_patch',
    line: objectListIn(item['changes'])
      .map((change) => stringIn(change['path']))
      .join(', '),
  }),
  mcp_tool_call: (item) => ({ name: toolName(item), line: stringIn(objectIn(item['arguments'])['signal']) }),
  web_search: (item) => ({ name: 'web_search', line: stringIn(item['query']) }),
};

function statusOf(item: JsonObject): Activity['status'] {
  const status = STATUS[stringIn(item['status'])] ?? 'ok';
  return status === 'ok' && hasFailedExit(item) ? 'failed' : status;
}

const STATUS: Readonly<Record<string, Activity['status']>> = {
  in_progress: 'running',
  completed: 'ok',
  failed: 'failed',
  declined: 'denied',
};

/** Removes the shell around a command. */
const withoutShell = (command: string): string => /^\S*sh -l?c '([^]*)'$/.exec(command)?.[1] ?? command;

function toolName(item: JsonObject): string {
  const [server, tool] = [stringIn(item['server']), stringIn(item['tool'])];
  return server === DESK_NAME ? tool : `${server}.${tool}`;
}

/** Each minion is known by the id of its conversation, once it has one. */
function minionActivities(item: JsonObject): readonly Activity[] {
  const states = objectIn(item['agents_states']);
  const words = clipped(stringIn(item['prompt']));
  const isStart = stringIn(item['tool']) === 'spawn_agent';
  return Object.entries(states).map(([id, state]) => ({
    id,
    kind: 'minion',
    name: 'agent',
    status: minionStatus(state),
    ...(isStart && words !== '' ? { text: words } : {}),
  }));
}

function minionStatus(state: Json): Activity['status'] {
  const status = stringIn(objectIn(state)['status']);
  if (/^(pending_init|running)$/.test(status)) return 'running';
  return /^(completed|shutdown)$/.test(status) ? 'ok' : 'failed';
}

const notice = (item: JsonObject): Activity => ({
  id: stringIn(item['id']),
  kind: 'notice',
  name: 'notice',
  status: 'failed',
  text: clipped(stringIn(item['message'])),
});

function clipped(words: string): string {
  const line = words.replace(/\s+/g, ' ').trim();
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line;
}

const LONGEST_LINE = 200;

/** Collects the output of Codex in one turn. */
export class CodexStory extends TypedLineStory {
  thread = '';
  /** For the whole conversation; set by the last line of a successful turn. */
  total: Usage | null = null;
  /** Why it gave up, in its own words; its last line sets it. */
  excuse: string | null = null;
  lastText = '';
  readonly denials: string[] = [];
  readonly minions = new Map<string, Activity>();
  /** Its items are counted from zero in each process. */
  readonly #turn: string;
  #retries = 0;

  protected readonly readers = {
    'thread.started': (line: JsonObject) => void (this.thread = stringIn(line['thread_id'])),
    'item.started': (line: JsonObject) => this.#readItem(line),
    'item.updated': (line: JsonObject) => this.#readItem(line),
    'item.completed': (line: JsonObject) => this.#readItem(line),
    error: (line: JsonObject) => this.#readError(line),
    'turn.completed': (line: JsonObject) => this.#readCompleted(line),
    'turn.failed': (line: JsonObject) => this.#readFailed(line),
  };

  constructor(turn: string, listener: StoryListener) {
    super(listener);
    this.#turn = turn;
  }

  #readItem(line: JsonObject): void {
    const item = objectIn(line['item']);
    const isOver = line['type'] === 'item.completed';
    if (item['type'] === 'agent_message' && isOver) this.#say(stringIn(item['text']));
    for (const activity of itemActivities(item)) this.report(activity);
  }

  /** Not the end: it says how it tries again, and only with the last line that it gave up. */
  #readError(line: JsonObject): void {
    const words = stringIn(line['message']);
    if (!isRetry(words)) return;
    this.#retries += 1;
    this.report({ id: `retry-${this.#retries}`, kind: 'retry', name: 'reconnecting', status: 'failed', text: words });
  }

  #readCompleted(line: JsonObject): void {
    this.total = threadUsage(objectIn(line['usage']));
  }

  #readFailed(line: JsonObject): void {
    this.excuse = stringIn(objectIn(line['error'])['message']) || 'no reason was given';
  }

  /** Adds facts about a minion that became known after its end. */
  settleMinion(thread: string, found: { readonly name: string; readonly usage: Usage }): void {
    const known = this.minions.get(thread);
    const status = known === undefined || known.status === 'running' ? 'ok' : known.status;
    const name = found.name || (known?.name ?? 'agent');
    this.report({ id: thread, kind: 'minion', ...known, name, status, usage: found.usage });
  }

  protected override report(activity: Activity): void {
    if (activity.kind === 'minion') {
      const known = this.minions.get(activity.id);
      const whole = { ...known, ...activity };
      this.minions.set(activity.id, whole);
      this.listener.onActivity(whole);
      return;
    }
    if (activity.status === 'denied') this.denials.push(`${activity.name}: ${activity.text ?? ''}`);
    this.listener.onActivity({ ...activity, id: `${this.#turn}-${activity.id}` });
  }

  /** An empty line separates messages. */
  #say(words: string): void {
    if (words === '') return;
    this.listener.onText(this.lastText === '' ? words : `\n\n${words}`);
    this.lastText = words;
  }
}

export const isRetry = (words: string): boolean => words.startsWith('Reconnecting...');
