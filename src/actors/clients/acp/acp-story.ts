import type { StoryListener } from '../story-listener.ts';
import { DESK_NAME } from '../desk-name.ts';
import type { JsonObject } from '../../../core/json.ts';
import { objectIn, stringIn } from '../read-json.ts';
import { AcpTools } from './acp-tools.ts';

/** What the updates of one turn come to. Those of a kind that it does not know are passed over. */
export class AcpStory {
  readonly tools: AcpTools;
  unreadable = 0;
  /** Of the whole conversation, in dollars; null as long as nobody has said. */
  conversationCost: number | null = null;
  readonly #listener: StoryListener;
  #messages: string[] = [];
  #lastMessage = '';
  #isInterrupted = true;

  constructor(listener: StoryListener, deskTools: readonly string[]) {
    this.#listener = listener;
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

  /** All that counts of what is told before the turn begins: the rest is history. */
  readCost(update: JsonObject): void {
    const { amount, currency } = objectIn(update['cost']);
    if (typeof amount === 'number' && currency === 'USD') this.conversationCost = amount;
  }

  noteUnreadable(line: string): void {
    this.unreadable += 1;
    const begin = line.replace(/\s+/g, ' ').slice(0, 100);
    this.notice('unreadable', `${this.unreadable} lines could not be understood, the last one: ${begin}`);
  }

  notice(id: string, words: string): void {
    this.#listener.onActivity({ id: `notice-${id}`, kind: 'notice', name: 'notice', status: 'failed', text: words });
  }

  /** Messages are told apart by an empty line: where the agent says so, or where it did something in between. */
  #chunk(update: JsonObject): void {
    const content = objectIn(update['content']);
    const words = content['type'] === 'text' ? stringIn(content['text']) : '';
    if (words === '' || isOfMinion(update)) return;
    const { kind } = claudeMeta(update);
    // Words of the client's own, in the place of the model's.
    if (typeof kind === 'string') return this.notice(kind, words);
    const id = stringIn(update['messageId']);
    if (this.#isInterrupted || id !== this.#lastMessage) {
      if (this.#messages.length > 0) this.#listener.onText('\n\n');
      this.#messages.push('');
    }
    this.#isInterrupted = false;
    this.#lastMessage = id;
    this.#messages[this.#messages.length - 1] += words;
    this.#listener.onText(words);
  }
}

const isOfMinion = (update: JsonObject): boolean => stringIn(claudeMeta(update)['parentToolUseId']) !== '';

const claudeMeta = (update: JsonObject): JsonObject => objectIn(objectIn(update['_meta'])['claudeCode']);

/** One agent says whether it could reach the servers that it was given; the protocol has no words for it. */
export function isDeskDown(update: JsonObject): boolean {
  const { kind, server, status } = claudeMeta(update);
  return kind === 'mcpServerStatus' && server === DESK_NAME && status !== 'connected';
}
