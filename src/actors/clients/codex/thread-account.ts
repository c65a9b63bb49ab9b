import { createReadStream } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { addUsage, NO_USAGE, type Usage, usageMinus } from '../../../core/model/usage.ts';
import { readHeldFile, writeHeldFile } from '../../../lib/held-file.ts';
import { type JsonObject, parseObject } from '../../../core/model/json.ts';
import type { SessionOrder } from '../../port.ts';
import { count, objectIn, stringIn } from '../../read-json.ts';
import { withBooks } from '../client-home.ts';
import { codexFolder, isThreadId } from './codex-setup.ts';

/** The file in which the client keeps a conversation, with what its calls used. Its form is the client's own affair. */
interface Rollout {
  readonly path: string;
  readonly bytes: number;
  readonly changedAt: number;
}

interface RolloutStory {
  /** For the whole conversation up to its end; null if not reported. */
  readonly total: Usage | null;
  /** For the calls in this part. */
  readonly usage: Usage;
  readonly model: string;
  /** The turns of the conversation that was begun by us. */
  readonly turns: ReadonlySet<string>;
  readonly thread: string;
  readonly nickname: string;
}

const NO_STORY: RolloutStory = {
  total: null,
  usage: NO_USAGE,
  model: '',
  turns: new Set(),
  thread: '',
  nickname: '',
};

/** Null if missing. */
async function findRollout(home: string, thread: string): Promise<Rollout | null> {
  if (!isThreadId(thread)) return null;
  const all = await rolloutPaths(home);
  const path = all.find((each) => each.endsWith(`-${thread}.jsonl`));
  return path === undefined ? null : await rolloutAt(path);
}

/** Rollouts that have grown since. */
async function rolloutsSince(home: string, moment: number): Promise<readonly Rollout[]> {
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
  if (found?.isFile() !== true || found.size > LARGEST_ROLLOUT) return null;
  return { path, bytes: found.size, changedAt: found.mtimeMs };
}

const LARGEST_ROLLOUT = 1024 * 1024 * 1024;

/** Reads from a byte on; only of these `turns`, if given. */
async function readRollout(
  { path }: Rollout,
  { from = 0, turns = null }: { from?: number; turns?: ReadonlySet<string> | null },
): Promise<RolloutStory> {
  const reader = new RolloutReader(turns);
  const lines = createInterface({ input: createReadStream(path, { start: from }), crlfDelay: Infinity });
  try {
    for await (const line of lines) if (COUNTED_LINE.test(line.slice(0, 200))) reader.read(line);
  } catch {
    // Keeps the part that was read so far.
  }
  return reader;
}

const COUNTED_LINE =
  /"type":"(session_meta|turn_context|token_usage_record|event_msg","payload":\{"type":"token_count)"/;

class RolloutReader implements RolloutStory {
  total: Usage | null = null;
  usage: Usage = NO_USAGE;
  model = '';
  thread = '';
  nickname = '';
  readonly turns = new Set<string>();
  readonly #turns: ReadonlySet<string> | null;

  constructor(turns: ReadonlySet<string> | null) {
    this.#turns = turns;
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

  #takeTotal(reported: JsonObject): void {
    if (reported['input_tokens'] !== undefined) this.total = threadUsage(reported);
  }

  #takeCall(payload: JsonObject): void {
    const turn = stringIn(payload['root_turn_id']);
    if (this.#turns !== null && !this.#turns.has(turn)) return;
    this.turns.add(turn);
    this.usage = addUsage(this.usage, { ...threadUsage(objectIn(payload['usage'])), calls: 1 });
  }
}

/** As the client reports it: the input includes cached tokens. */
export function threadUsage(reported: JsonObject): Usage {
  return {
    inputTokens: count(reported['input_tokens']),
    outputTokens: count(reported['output_tokens']),
    cacheReadTokens: count(reported['cached_input_tokens']),
    cacheWriteTokens: count(reported['cache_write_input_tokens']),
    calls: 0,
  };
}

/** The usage of a conversation before the turn. The client reports sums over all its turns, copies included. */
export interface ThreadAccount {
  /** Null if unknown. */
  readonly before: Usage | null;
  /** The offset of the turn in the conversation's file. */
  readonly from: number;
  readonly openedAt: number;
  /** The engine ended the turn before, because its reply was accepted. */
  readonly wasEnded: boolean;
}

/**
 * Starts from the usage reported in earlier turns, so that the next turn reports that of an interrupted one, even the first. A copy
 * starts from the client's own count of the original if none was reported.
 */
export async function openAccount(home: string, session: SessionOrder): Promise<ThreadAccount> {
  const openedAt = Date.now() - CLOCK_SLACK_MS;
  if (session.how === 'new') return { before: NO_USAGE, from: 0, openedAt, wasEnded: false };
  const thread = session.how === 'resumed' ? session.id : session.from;
  const rollout = await findRollout(home, thread);
  const { usage: reported, wasEnded } = await readBook(home, thread);
  const known = { openedAt, wasEnded };
  if (session.how === 'forked') return { ...known, before: reported ?? (await notedTotal(rollout)), from: 0 };
  if (rollout === null) return { ...known, before: reported, from: 0 };
  const before = reported ?? NO_USAGE;
  return { ...known, before, from: isNothing(before) ? 0 : rollout.bytes };
}

const notedTotal = async (rollout: Rollout | null): Promise<Usage | null> =>
  rollout === null ? null : (await readRollout(rollout, {})).total;

const isNothing = (usage: Usage): boolean => usage.inputTokens === 0 && usage.outputTokens === 0;

/** Called once the conversation is known: if its first turn is interrupted, the next one reports exactly that usage too. */
export async function noteThread(home: string, { before }: ThreadAccount, thread: string): Promise<void> {
  if (before !== null) await writeBook(home, thread, { usage: before, wasEnded: false }).catch(() => undefined);
}

/** File systems and clocks differ in their resolution. */
const CLOCK_SLACK_MS = 20;

export interface ThreadEnd {
  readonly thread: string;
  /** From the client's last line; null if there was none. */
  readonly total: Usage | null;
  readonly hasMinions: boolean;
  readonly wasEnded?: boolean;
}

export interface TurnAccount {
  /** For the turn only, minions included. */
  readonly usage: Usage;
  readonly model: string;
  readonly minions: readonly MinionAccount[];
  /** The earlier usage is unknown, so it counts towards this turn. */
  readonly isGuess: boolean;
}

export interface MinionAccount {
  readonly thread: string;
  readonly name: string;
  readonly usage: Usage;
}

export async function closeAccount(home: string, account: ThreadAccount, end: ThreadEnd): Promise<TurnAccount> {
  const rollout = await findRollout(home, end.thread);
  const story = rollout === null ? NO_STORY : await readRollout(rollout, { from: account.from });
  const minions = end.hasMinions ? await minionsOf(home, account, { ...end, story }) : [];
  const total = end.total ?? story.total;
  const { wasEnded = false } = end;
  if (total !== null) await writeBook(home, end.thread, { usage: total, wasEnded }).catch(() => undefined);
  const own = ownUsage(account, total, story.usage);
  return {
    usage: minions.reduce((sum, minion) => addUsage(sum, minion.usage), own),
    model: story.model,
    minions,
    isGuess: account.before === null && story.usage.calls === 0 && total !== null,
  };
}

/** `noted` are the single calls of the turn, as far as the client noted them. */
function ownUsage({ before }: ThreadAccount, total: Usage | null, noted: Usage): Usage {
  if (total === null || (before === null && noted.calls > 0)) return noted;
  return { ...usageMinus(total, before ?? NO_USAGE), calls: Math.max(1, noted.calls) };
}

/** Separate conversations, which the agent's own does not count. */
async function minionsOf(
  home: string,
  { openedAt }: ThreadAccount,
  { thread, story }: ThreadEnd & { readonly story: RolloutStory },
): Promise<readonly MinionAccount[]> {
  const rollouts = await rolloutsSince(home, openedAt);
  const stories = await Promise.all(rollouts.map((each) => readRollout(each, { turns: story.turns })));
  return stories
    .filter((each) => each.thread !== thread && each.usage.calls > 0)
    .map((each) => ({ thread: each.thread, name: each.nickname, usage: each.usage }));
}

/** One file a conversation: several turns may be under way at once. No agent can write there, and so hide what it uses. */
const bookOf = (thread: string): string => `${thread}.json`;

/** State of a conversation when its next turn begins. */
interface Book {
  readonly usage: Usage | null;
  readonly wasEnded: boolean;
}

async function readBook(home: string, thread: string): Promise<Book> {
  if (!isThreadId(thread)) return { usage: null, wasEnded: false };
  const words = await withBooks(home, (folder) =>
    readHeldFile(folder, bookOf(thread), { maxBytes: LARGEST_BOOK }),
  ).catch(() => Buffer.alloc(0));
  const reported = parseObject(words.toString('utf8'));
  if (reported === null || typeof reported['inputTokens'] !== 'number') return { usage: null, wasEnded: false };
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = reported;
  const usage = {
    inputTokens: count(inputTokens),
    outputTokens: count(outputTokens),
    cacheReadTokens: count(cacheReadTokens),
    cacheWriteTokens: count(cacheWriteTokens),
    calls: 0,
  };
  return { usage, wasEnded: reported['wasEnded'] === true };
}

const LARGEST_BOOK = 4096;

async function writeBook(home: string, thread: string, { usage, wasEnded }: Book): Promise<void> {
  if (!isThreadId(thread)) return;
  const book = { content: JSON.stringify({ ...usage, wasEnded }), mode: 0o600 };
  await withBooks(home, (folder) => writeHeldFile(folder, bookOf(thread), book));
}
