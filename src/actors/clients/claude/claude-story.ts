import type { Activity } from '../../../core/record/agent-fact.ts';
import type { JsonObject } from '../../../core/model/json.ts';
import { addUsage, NO_USAGE, type Usage, usageMinus } from '../../../core/model/usage.ts';
import { count, objectIn, objectListIn, stringIn } from '../../read-json.ts';
import type { StoryListener } from '../client-turn.ts';
import { TypedLineStory } from '../turn-story.ts';
import { lineOfTool, ownToolName, ToolActivities } from './claude-tools.ts';

/**
 * Usage of single messages, as far as reported. The turn's result has the exact sum; this is for turns without a result, and for
 * the share of each minion.
 */
class MessageUsage {
  readonly #messages = new Map<string, MessageShare>();

  /** A message begins or continues; may be called any number of times. */
  note(message: JsonObject, parent: string): void {
    const id = stringIn(message['id']);
    if (id === '' || message['model'] === SYNTHETIC) return;
    const known = this.#messages.get(id);
    if (known === undefined) this.#messages.set(id, { parent, usage: apiUsage(objectIn(message['usage'])) });
  }

  /** Its last figures. */
  finish(id: string, usage: JsonObject): void {
    const known = this.#messages.get(id);
    if (known === undefined) return;
    const output = Math.max(known.usage.outputTokens, count(usage['output_tokens']));
    this.#messages.set(id, { ...known, usage: { ...known.usage, outputTokens: output } });
  }

  total(): Usage {
    return sum([...this.#messages.values()]);
  }

  ofMinion(id: string): Usage {
    return sum([...this.#messages.values()].filter(({ parent }) => parent === id));
  }
}

interface MessageShare {
  readonly usage: Usage;
  /** The minion whose it is; empty where it is the agent's own. */
  readonly parent: string;
}

/** Words that the client puts into its model's mouth. */
const SYNTHETIC = '<synthetic>';

const sum = (shares: readonly MessageShare[]): Usage =>
  shares.reduce((all, { usage }) => addUsage(all, usage), NO_USAGE);

/** As the endpoint reports it: input excludes cached tokens. */
const apiUsage = (usage: JsonObject): Usage =>
  usageIn(usage, ['input_tokens', 'output_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'], 1);

type UsageKeys = readonly [input: string, output: string, read: string, write: string];

function usageIn(reported: JsonObject, [input, output, read, write]: UsageKeys, calls: number): Usage {
  const [cacheReadTokens, cacheWriteTokens] = [count(reported[read]), count(reported[write])];
  const inputTokens = count(reported[input]) + cacheReadTokens + cacheWriteTokens;
  return { inputTokens, outputTokens: count(reported[output]), cacheReadTokens, cacheWriteTokens, calls };
}

/**
 * For this turn only, sub-agents included. `total_cost_usd` and `modelUsage` cover the whole conversation, and `usage` excludes
 * sub-agents; versions that do not report the difference have no better figure.
 */
export function turnUsage(result: JsonObject, calls: number): Usage {
  const models = newOfModels(result);
  const usage =
    models === null ? apiUsage(objectIn(result['usage'])) : models.map(modelUsage).reduce(addUsage, NO_USAGE);
  return { ...usage, calls };
}

/** Null if not reported or if the price is unknown. */
export function turnCost(result: JsonObject): number | null {
  const models = newOfModels(result);
  if (models === null || models.some((model) => model['costBasis'] === 'unknown')) return null;
  return models.reduce((sum, model) => sum + count(model['costUSD']), 0);
}

function newOfModels(result: JsonObject): readonly JsonObject[] | null {
  const reported = result['model_usage_since_last_result'];
  return reported === undefined ? null : objectListIn(Object.values(objectIn(reported)));
}

const modelUsage = (model: JsonObject): Usage =>
  usageIn(model, ['inputTokens', 'outputTokens', 'cacheReadInputTokens', 'cacheCreationInputTokens'], 0);

/** Collects the output of Claude Code in one turn. */
export class ClaudeStory extends TypedLineStory {
  init: JsonObject | null = null;
  result: JsonObject | null = null;
  /** The last words that the client put into its model's mouth, because the model could not be had. */
  excuse: JsonObject | null = null;
  /** The allowance is used up. */
  limit: JsonObject | null = null;
  readonly #usage = new MessageUsage();
  readonly #tools: ToolActivities;
  /** Ids of streamed messages. */
  readonly #streamed = new Set<string>();
  #lastText = '';
  #retries = 0;

  protected readonly readers = {
    system: (line: JsonObject) => this.#readSystem(line),
    assistant: (line: JsonObject) => this.#readAssistant(line),
    user: (line: JsonObject) => this.#readUser(line),
    stream_event: (line: JsonObject) => this.#readEvent(line),
    rate_limit_event: (line: JsonObject) => this.#readLimit(line),
    result: (line: JsonObject) => this.#readResult(line),
  };

  constructor(listener: StoryListener) {
    super(listener);
    this.#tools = new ToolActivities(listener.onActivity);
  }

  get denials(): readonly string[] {
    return this.#tools.denials;
  }

  /** Sum over the reported messages. */
  get usage(): Usage {
    return this.#usage.total();
  }

  #readSystem(line: JsonObject): void {
    switch (line['subtype']) {
      case 'init':
        this.init = line;
        return;
      case 'api_retry':
        return this.#retry(line);
      case 'permission_denied':
        return this.#tools.deny({ name: ownToolName(stringIn(line['tool_name'])) });
      case 'informational':
        return this.notice(stringIn(line['uuid']), stringIn(line['content']), 'ok');
    }
  }

  #readAssistant(line: JsonObject): void {
    const message = objectIn(line['message']);
    const parent = stringIn(line['parent_tool_use_id']);
    if (message['model'] === SYNTHETIC) this.excuse = line;
    this.#usage.note(message, parent);
    for (const block of objectListIn(message['content'])) {
      if (block['type'] === 'tool_use') this.#tools.begin(block, parent);
      if (block['type'] === 'text' && parent === '' && message['model'] !== SYNTHETIC) this.#wholeText(message, block);
    }
  }

  #readUser(line: JsonObject): void {
    for (const block of objectListIn(objectIn(line['message'])['content'])) {
      if (block['type'] === 'tool_result') this.#tools.end(block, line, (minion) => this.#usage.ofMinion(minion));
    }
  }

  #readEvent(line: JsonObject): void {
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

  #readResult(line: JsonObject): void {
    this.result = line;
    for (const denial of objectListIn(line['permission_denials'])) {
      this.#tools.deny({
        name: ownToolName(stringIn(denial['tool_name'])),
        text: lineOfTool(objectIn(denial['tool_input'])),
      });
    }
    const minion = this.#tools.onlyMinion;
    if (minion !== null) this.#tools.reportUsage(minion, this.#restOf(line, minion));
  }

  #readLimit(line: JsonObject): void {
    const info = objectIn(line['rate_limit_info']);
    if (info['status'] === 'rejected') this.limit = info;
  }

  /** The turn's usage without the agent's own part: exact, unlike the single messages of a minion. */
  #restOf(line: JsonObject, minion: Activity): Usage {
    const { calls } = this.#usage.ofMinion(minion.id);
    const all = turnUsage(line, 0);
    const own = turnUsage({ usage: line['usage'] ?? null }, 0);
    return { ...usageMinus(all, own), calls: Math.max(1, calls) };
  }

  #wholeText(message: JsonObject, block: JsonObject): void {
    const id = stringIn(message['id']);
    if (!this.#streamed.has(id)) this.#sayText(id, stringIn(block['text']));
  }

  /** An empty line separates messages. */
  #sayText(id: string, words: string): void {
    if (words === '') return;
    if (this.#lastText !== '' && this.#lastText !== id) this.listener.onText('\n\n');
    this.#lastText = id;
    this.listener.onText(words);
  }

  #retry(line: JsonObject): void {
    this.#retries += 1;
    const status = typeof line['error_status'] === 'number' ? `HTTP ${line['error_status']}, ` : '';
    this.listener.onActivity({
      id: `retry-${this.#retries}`,
      kind: 'retry',
      name: stringIn(line['error']) || 'unknown',
      status: 'failed',
      text: `${status}tried again after ${Math.round(Number(line['retry_delay_ms']))} ms`,
    });
  }
}
