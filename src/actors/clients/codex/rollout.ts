import { createReadStream } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { JsonObject } from '../../../core/json.ts';
import { addUsage, NO_USAGE, type Usage } from '../../../core/usage.ts';
import { count, objectIn, parseObject, stringIn } from '../read-json.ts';
import { codexFolder } from './codex-environment.ts';
import { isThreadId } from './codex-arguments.ts';

/** The file in which the client keeps a conversation, with what its calls used. Its form is the client's own affair. */
export interface Rollout {
  readonly path: string;
  readonly bytes: number;
  readonly changedAt: number;
}

/** What a part of it says. */
export interface RolloutStory {
  /** Of the whole conversation up to its end; null where it does not say. */
  readonly total: Usage | null;
  /** Of the calls in this part. */
  readonly usage: Usage;
  readonly model: string;
  /** The turns of the conversation that was begun by us. */
  readonly turns: ReadonlySet<string>;
  readonly thread: string;
  readonly nickname: string;
}

export const NO_STORY: RolloutStory = {
  total: null,
  usage: NO_USAGE,
  model: '',
  turns: new Set(),
  thread: '',
  nickname: '',
};

/** Null where there is none. */
export async function findRollout(home: string, thread: string): Promise<Rollout | null> {
  if (!isThreadId(thread)) return null;
  const all = await rolloutPaths(home);
  const path = all.find((each) => each.endsWith(`-${thread}.jsonl`));
  return path === undefined ? null : await rolloutAt(path);
}

/** Those to which something was added since. */
export async function rolloutsSince(home: string, moment: number): Promise<readonly Rollout[]> {
  const all = await Promise.all((await rolloutPaths(home)).map(rolloutAt));
  return all.filter((each) => each !== null).filter(({ changedAt }) => changedAt >= moment);
}

async function rolloutPaths(home: string): Promise<readonly string[]> {
  const folder = join(codexFolder(home), 'sessions');
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  return names.filter((name) => name.endsWith('.jsonl')).map((name) => join(folder, name));
}

/** Never through a link: an agent may write there. */
async function rolloutAt(path: string): Promise<Rollout | null> {
  const found = await lstat(path).catch(() => null);
  if (found?.isFile() !== true || found.size > LARGEST_BYTES) return null;
  return { path, bytes: found.size, changedAt: found.mtimeMs };
}

const LARGEST_BYTES = 1024 * 1024 * 1024;

/** From a byte on; of `turns` only, where they are given. */
export async function readRollout(
  { path }: Rollout,
  { from = 0, turns = null }: { from?: number; turns?: ReadonlySet<string> | null },
): Promise<RolloutStory> {
  const reader = new RolloutReader(turns);
  const lines = createInterface({ input: createReadStream(path, { start: from }), crlfDelay: Infinity });
  try {
    for await (const line of lines) if (TELLING.test(line.slice(0, 200))) reader.read(line);
  } catch {
    // What was read until then counts.
  }
  return reader;
}

const TELLING = /"type":"(session_meta|turn_context|token_usage_record|event_msg","payload":\{"type":"token_count)"/;

class RolloutReader implements RolloutStory {
  total: Usage | null = null;
  usage: Usage = NO_USAGE;
  model = '';
  thread = '';
  nickname = '';
  readonly turns = new Set<string>();
  readonly #wanted: ReadonlySet<string> | null;

  constructor(wanted: ReadonlySet<string> | null) {
    this.#wanted = wanted;
  }

  read(line: string): void {
    const record = parseObject(line);
    const payload = objectIn(record?.['payload']);
    switch (record?.['type']) {
      case 'session_meta':
        this.thread = stringIn(payload['id']);
        this.nickname = stringIn(payload['agent_nickname']);
        return;
      case 'turn_context':
        this.model = stringIn(payload['model']);
        return;
      case 'event_msg':
        return this.#takeTotal(objectIn(objectIn(payload['info'])['total_token_usage']));
      default:
        return this.#takeCall(payload);
    }
  }

  #takeTotal(told: JsonObject): void {
    if (told['input_tokens'] !== undefined) this.total = threadUsage(told);
  }

  #takeCall(payload: JsonObject): void {
    const turn = stringIn(payload['root_turn_id']);
    if (this.#wanted !== null && !this.#wanted.has(turn)) return;
    this.turns.add(turn);
    this.usage = addUsage(this.usage, { ...threadUsage(objectIn(payload['usage'])), calls: 1 });
  }
}

/** As the client tells it: what a cache held is part of the input. */
export function threadUsage(told: JsonObject): Usage {
  return {
    inputTokens: count(told['input_tokens']),
    outputTokens: count(told['output_tokens']),
    cacheReadTokens: count(told['cached_input_tokens']),
    cacheWriteTokens: count(told['cache_write_input_tokens']),
    calls: 0,
  };
}
