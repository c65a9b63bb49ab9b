import type { StoryListener } from '../story-listener.ts';
import type { Activity } from '../../../core/agent-fact.ts';
import type { JsonObject } from '../../../core/json.ts';
import type { Usage } from '../../../core/usage.ts';
import { objectIn, objectListIn, parseObject, stringIn } from '../read-json.ts';
import { MessageUsage, SYNTHETIC, turnUsage } from './message-usage.ts';
import { lineOfTool, ownToolName, ToolActivities } from './tool-activities.ts';

/** What the lines of one turn come to. Kinds of lines that it does not know are passed over: there are new ones every month. */
export class ClaudeStory {
  init: JsonObject | null = null;
  result: JsonObject | null = null;
  /** The last words that the client put into its model's mouth, because the model could not be had. */
  excuse: JsonObject | null = null;
  /** The allowance is used up. */
  limit: JsonObject | null = null;
  unreadable = 0;
  readonly #listener: StoryListener;
  readonly #usage = new MessageUsage();
  readonly #tools: ToolActivities;
  /** Messages that came piece by piece. */
  readonly #streamed = new Set<string>();
  #lastText = '';
  #retries = 0;

  constructor(listener: StoryListener) {
    this.#listener = listener;
    this.#tools = new ToolActivities(listener.onActivity);
  }

  get denials(): readonly string[] {
    return this.#tools.denials;
  }

  /** As far as single messages tell. */
  get usage(): Usage {
    return this.#usage.total();
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

  readSystem(line: JsonObject): void {
    switch (line['subtype']) {
      case 'init':
        this.init = line;
        return;
      case 'api_retry':
        return this.#retry(line);
      case 'permission_denied':
        return this.#tools.deny({ name: ownToolName(stringIn(line['tool_name'])) });
      case 'informational':
        return this.#notice(stringIn(line['uuid']), stringIn(line['content']), 'ok');
    }
  }

  readAssistant(line: JsonObject): void {
    const message = objectIn(line['message']);
    const parent = stringIn(line['parent_tool_use_id']);
    if (message['model'] === SYNTHETIC) this.excuse = line;
    this.#usage.note(message, parent);
    for (const block of objectListIn(message['content'])) {
      if (block['type'] === 'tool_use') this.#tools.begin(block, parent);
      if (block['type'] === 'text' && parent === '' && message['model'] !== SYNTHETIC) this.#wholeText(message, block);
    }
  }

  readUser(line: JsonObject): void {
    for (const block of objectListIn(objectIn(line['message'])['content'])) {
      if (block['type'] === 'tool_result') this.#tools.end(block, line, (minion) => this.#usage.ofMinion(minion));
    }
  }

  readEvent(line: JsonObject): void {
    const event = objectIn(line['event']);
    const parent = stringIn(line['parent_tool_use_id']);
    const id = stringIn(line['api_message_id']) || this.#lastMessage;
    if (event['type'] === 'message_start') {
      const message = objectIn(event['message']);
      this.#lastMessage = stringIn(message['id']);
      this.#usage.note(message, parent);
    }
    if (event['type'] === 'message_delta') this.#usage.finish(id, objectIn(event['usage']));
    const delta = objectIn(event['delta']);
    if (delta['type'] !== 'text_delta' || parent !== '') return;
    this.#streamed.add(id);
    this.#sayText(id, stringIn(delta['text']));
  }

  #lastMessage = '';

  readResult(line: JsonObject): void {
    this.result = line;
    for (const denial of objectListIn(line['permission_denials'])) {
      this.#tools.deny({
        name: ownToolName(stringIn(denial['tool_name'])),
        text: lineOfTool(objectIn(denial['tool_input'])),
      });
    }
    const minion = this.#tools.onlyMinion;
    if (minion !== null) this.#tools.tellUsage(minion, this.#restOf(line, minion));
  }

  readLimit(line: JsonObject): void {
    const info = objectIn(line['rate_limit_info']);
    if (info['status'] === 'rejected') this.limit = info;
  }

  /** Of all that the turn used, what the agent itself did not: exact, where single messages of a minion are not. */
  #restOf(line: JsonObject, minion: Activity): Usage {
    const { calls } = this.#usage.ofMinion(minion.id);
    const all = turnUsage(line, 0);
    const own = turnUsage({ usage: line['usage'] ?? null }, 0);
    return {
      inputTokens: Math.max(0, all.inputTokens - own.inputTokens),
      outputTokens: Math.max(0, all.outputTokens - own.outputTokens),
      cacheReadTokens: Math.max(0, all.cacheReadTokens - own.cacheReadTokens),
      cacheWriteTokens: Math.max(0, all.cacheWriteTokens - own.cacheWriteTokens),
      calls: Math.max(1, calls),
    };
  }

  #wholeText(message: JsonObject, block: JsonObject): void {
    const id = stringIn(message['id']);
    if (!this.#streamed.has(id)) this.#sayText(id, stringIn(block['text']));
  }

  /** Messages are told apart by an empty line. */
  #sayText(id: string, words: string): void {
    if (words === '') return;
    if (this.#lastText !== '' && this.#lastText !== id) this.#listener.onText('\n\n');
    this.#lastText = id;
    this.#listener.onText(words);
  }

  #retry(line: JsonObject): void {
    this.#retries += 1;
    const status = typeof line['error_status'] === 'number' ? `HTTP ${line['error_status']}, ` : '';
    this.#listener.onActivity({
      id: `retry-${this.#retries}`,
      kind: 'retry',
      name: stringIn(line['error']) || 'unknown',
      status: 'failed',
      text: `${status}tried again after ${Math.round(Number(line['retry_delay_ms']))} ms`,
    });
  }

  #unreadable(line: string): void {
    this.unreadable += 1;
    const begin = line.replace(/\s+/g, ' ').slice(0, 100);
    this.#notice('unreadable', `${this.unreadable} lines could not be understood, the last one: ${begin}`, 'failed');
  }

  #notice(id: string, words: string, status: Activity['status']): void {
    this.#listener.onActivity({ id: `notice-${id}`, kind: 'notice', name: 'notice', status, text: words });
  }
}

const READERS: Readonly<Record<string, (story: ClaudeStory, line: JsonObject) => void>> = {
  system: (story, line) => story.readSystem(line),
  assistant: (story, line) => story.readAssistant(line),
  user: (story, line) => story.readUser(line),
  stream_event: (story, line) => story.readEvent(line),
  rate_limit_event: (story, line) => story.readLimit(line),
  result: (story, line) => story.readResult(line),
};
