import { addUsage, NO_USAGE, type Usage } from '../../../core/usage.ts';
import { readHeldFile, writeHeldFile } from '../../../lib/held-file.ts';
import type { SessionOrder } from '../../client-port.ts';
import { withBooks } from '../beside-home.ts';
import { count, parseObject } from '../read-json.ts';
import { isThreadId } from './codex-arguments.ts';
import { findRollout, NO_STORY, readRollout, rolloutsSince, type Rollout, type RolloutStory } from './rollout.ts';

/** What a conversation had used before the turn. The client tells sums over all its turns, copies included. */
export interface ThreadAccount {
  /** Null where nobody knows. */
  readonly before: Usage | null;
  /** Where in the conversation's file the turn begins. */
  readonly from: number;
  readonly openedAt: number;
  /** The engine ended the turn before, because its reply was accepted. */
  readonly wasEnded: boolean;
}

/**
 * What was told in earlier turns counts, so that one that was cut off is told with the next, the first one included. A copy
 * begins with what the client has noted of the other where nothing was told.
 */
export async function openAccount(home: string, session: SessionOrder): Promise<ThreadAccount> {
  const openedAt = Date.now() - CLOCK_SLACK_MS;
  if (session.how === 'new') return { before: NO_USAGE, from: 0, openedAt, wasEnded: false };
  const thread = session.how === 'resumed' ? session.id : session.from;
  const rollout = await findRollout(home, thread);
  const { usage: told, wasEnded } = await readBook(home, thread);
  const known = { openedAt, wasEnded };
  if (session.how === 'forked') return { ...known, before: told ?? (await notedTotal(rollout)), from: 0 };
  if (rollout === null) return { ...known, before: told, from: 0 };
  const before = told ?? NO_USAGE;
  return { ...known, before, from: isNothing(before) ? 0 : rollout.bytes };
}

const notedTotal = async (rollout: Rollout | null): Promise<Usage | null> =>
  rollout === null ? null : (await readRollout(rollout, {})).total;

const isNothing = (usage: Usage): boolean => usage.inputTokens === 0 && usage.outputTokens === 0;

/** As soon as the conversation is known: should its first turn be cut off, the next one tells what that used, and no more. */
export async function noteThread(home: string, { before }: ThreadAccount, thread: string): Promise<void> {
  if (before !== null) await writeBook(home, thread, { usage: before, wasEnded: false }).catch(() => undefined);
}

/** File systems and clocks differ in how finely they tell the time. */
const CLOCK_SLACK_MS = 20;

export interface ThreadEnd {
  readonly thread: string;
  /** As the client's last line tells it; null where there was none. */
  readonly total: Usage | null;
  readonly hasMinions: boolean;
  readonly wasEnded?: boolean;
}

export interface TurnAccount {
  /** Of the turn only, minions included. */
  readonly usage: Usage;
  readonly model: string;
  readonly minions: readonly MinionAccount[];
  /** Nobody knows what was used before, so that it is counted as of this turn. */
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
  return { ...minus(total, before ?? NO_USAGE), calls: Math.max(1, noted.calls) };
}

/** Conversations of their own, which the agent's does not count. */
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

function minus(all: Usage, before: Usage): Usage {
  const rest = (name: keyof Usage): number => Math.max(0, all[name] - before[name]);
  return {
    inputTokens: rest('inputTokens'),
    outputTokens: rest('outputTokens'),
    cacheReadTokens: rest('cacheReadTokens'),
    cacheWriteTokens: rest('cacheWriteTokens'),
    calls: 0,
  };
}

/** One file a conversation: several turns may be under way at once. No agent can write there, and so hide what it uses. */
const bookOf = (thread: string): string => `${thread}.json`;

/** What is known of a conversation when its next turn begins. */
interface Book {
  readonly usage: Usage | null;
  readonly wasEnded: boolean;
}

async function readBook(home: string, thread: string): Promise<Book> {
  if (!isThreadId(thread)) return { usage: null, wasEnded: false };
  const words = await withBooks(home, (folder) =>
    readHeldFile(folder, bookOf(thread), { maxBytes: LARGEST_BYTES }),
  ).catch(() => Buffer.alloc(0));
  const told = parseObject(words.toString('utf8'));
  if (told === null || typeof told['inputTokens'] !== 'number') return { usage: null, wasEnded: false };
  const field = (name: keyof Usage): number => count(told[name]);
  const usage = {
    inputTokens: field('inputTokens'),
    outputTokens: field('outputTokens'),
    cacheReadTokens: field('cacheReadTokens'),
    cacheWriteTokens: field('cacheWriteTokens'),
    calls: 0,
  };
  return { usage, wasEnded: told['wasEnded'] === true };
}

const LARGEST_BYTES = 4096;

async function writeBook(home: string, thread: string, { usage, wasEnded }: Book): Promise<void> {
  if (!isThreadId(thread)) return;
  const book = { content: JSON.stringify({ ...usage, wasEnded }), mode: 0o600 };
  await withBooks(home, (folder) => writeHeldFile(folder, bookOf(thread), book));
}
