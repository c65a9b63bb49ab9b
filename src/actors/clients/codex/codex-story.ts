import type { StoryListener } from '../story-listener.ts';
import type { Activity } from '../../../core/agent-fact.ts';
import type { JsonObject } from '../../../core/json.ts';
import type { Usage } from '../../../core/usage.ts';
import { objectIn, parseObject, stringIn } from '../read-json.ts';
import { itemActivities } from './item-activities.ts';
import { threadUsage } from './rollout.ts';

/** What the lines of one turn come to. Kinds of lines that it does not know are passed over. */
export class CodexStory {
  thread = '';
  /** Of the whole conversation; set by the last line of a turn that went well. */
  total: Usage | null = null;
  /** Why it gave up, in its own words; set by the last line of one that did not. */
  excuse: string | null = null;
  lastText = '';
  unreadable = 0;
  readonly denials: string[] = [];
  readonly minions = new Map<string, Activity>();
  readonly #listener: StoryListener;
  /** Its items are counted from zero in each process. */
  readonly #turn: string;
  #retries = 0;

  constructor(turn: string, listener: StoryListener) {
    this.#turn = turn;
    this.#listener = listener;
  }

  /** Null for a line that is none of its protocol. */
  read(line: string): JsonObject | null {
    const said = parseObject(line);
    if (said === null || typeof said['type'] !== 'string') {
      this.#unreadable(line);
      return null;
    }
    READERS[said['type']]?.(this, said);
    return said;
  }

  readItem(line: JsonObject): void {
    const item = objectIn(line['item']);
    const isOver = line['type'] === 'item.completed';
    if (item['type'] === 'agent_message' && isOver) this.#say(stringIn(item['text']));
    for (const activity of itemActivities(item)) this.#tell(activity);
  }

  /** Not the end: it says how it tries again, and only with the last line that it gave up. */
  readError(line: JsonObject): void {
    const words = stringIn(line['message']);
    if (!isRetry(words)) return;
    this.#retries += 1;
    this.#tell({ id: `retry-${this.#retries}`, kind: 'retry', name: 'reconnecting', status: 'failed', text: words });
  }

  readCompleted(line: JsonObject): void {
    this.total = threadUsage(objectIn(line['usage']));
  }

  readFailed(line: JsonObject): void {
    this.excuse = stringIn(objectIn(line['error'])['message']) || 'no reason was given';
  }

  /** What became known of a minion after the end. */
  settleMinion(thread: string, told: { readonly name: string; readonly usage: Usage }): void {
    const known = this.minions.get(thread);
    const status = known === undefined || known.status === 'running' ? 'ok' : known.status;
    const name = told.name || (known?.name ?? 'agent');
    this.#tell({ id: thread, kind: 'minion', ...known, name, status, usage: told.usage });
  }

  notice(id: string, words: string, status: Activity['status']): void {
    this.#tell({ id: `notice-${id}`, kind: 'notice', name: 'notice', status, text: words });
  }

  #tell(activity: Activity): void {
    if (activity.kind === 'minion') {
      const known = this.minions.get(activity.id);
      const whole = { ...known, ...activity };
      this.minions.set(activity.id, whole);
      this.#listener.onActivity(whole);
      return;
    }
    if (activity.status === 'denied') this.denials.push(`${activity.name}: ${activity.text ?? ''}`);
    this.#listener.onActivity({ ...activity, id: `${this.#turn}-${activity.id}` });
  }

  /** Messages are told apart by an empty line. */
  #say(words: string): void {
    if (words === '') return;
    this.#listener.onText(this.lastText === '' ? words : `\n\n${words}`);
    this.lastText = words;
  }

  #unreadable(line: string): void {
    this.unreadable += 1;
    const begin = line.replace(/\s+/g, ' ').slice(0, 100);
    this.notice('unreadable', `${this.unreadable} lines could not be understood, the last one: ${begin}`, 'failed');
  }
}

export const isRetry = (words: string): boolean => words.startsWith('Reconnecting...');

const READERS: Readonly<Record<string, (story: CodexStory, line: JsonObject) => void>> = {
  'thread.started': (story, line) => {
    story.thread = stringIn(line['thread_id']);
  },
  'item.started': (story, line) => story.readItem(line),
  'item.updated': (story, line) => story.readItem(line),
  'item.completed': (story, line) => story.readItem(line),
  error: (story, line) => story.readError(line),
  'turn.completed': (story, line) => story.readCompleted(line),
  'turn.failed': (story, line) => story.readFailed(line),
};
