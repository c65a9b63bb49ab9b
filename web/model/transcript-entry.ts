import type { Activity } from '../../src/core/record/agent-fact.ts';
import type { Json } from '../../src/core/model/json.ts';
import type { Message } from '../../src/core/model/message.ts';
import type { Outcome } from '../../src/core/model/outcome.ts';
import type { CostUsd, Usage } from '../../src/core/model/usage.ts';
import { emptyList, listOf } from '../../src/core/model/append-list.ts';
import { type SeenMessage, viewFor } from '../../src/core/look/view.ts';

/** One thing that was said or done in a run, in the order of its records. */
export type Entry = SaidEntry | ActivityEntry | NoteEntry;

interface Placed {
  readonly key: string;
  readonly run: string;
  /** The record that tells of it. */
  readonly seq: number;
  readonly at: number;
  /** The conversation it belongs to; null for what belongs to none. */
  readonly context: string | null;
  readonly task: string | null;
  /** Whose turn it is part of. */
  readonly agent: string | null;
  readonly state: string;
  readonly visit: number;
  readonly standing: EntryStanding;
}

/**
 * `joined`: part of the conversation. `open`: of a turn under way, which joins it in one piece at its end. `apart`: of a turn
 * that failed; its agent said or read it, and later turns do not read it. `lost`: said to an agent that did nothing after it.
 * `gone`: cleared or trimmed away. `undone`: the run was put back to before it.
 */
export type EntryStanding = 'joined' | 'open' | 'apart' | 'lost' | 'gone' | 'undone';

export interface SaidEntry extends Placed {
  readonly kind: 'said';
  readonly message: Message;
  readonly uses: readonly ShownToolUse[];
  /** Of an answer of a model. */
  readonly answer: TranscriptAnswer | null;
}

export interface TranscriptAnswer {
  readonly model: string;
  readonly usage: Usage;
  readonly costUsd: CostUsd;
  readonly ms: number;
}

/** A tool that an agent called for, with what came of it. */
export interface ShownToolUse {
  readonly id: string;
  readonly name: string;
  readonly given: Json;
  readonly status: UseStatus;
  readonly result: ShownToolResult | null;
  /** Why the call was not taken as it was. */
  readonly objection: string | null;
}

/** `reply`: it is a structured reply, which was taken. `asks`: a person's word is awaited. */
export type UseStatus = 'running' | 'asks' | 'ok' | 'reply' | 'failed' | 'refused' | 'left';

export interface ShownToolResult {
  readonly seq: number;
  readonly content: string;
  readonly ms: number;
  readonly refused: string | null;
  readonly tries: number;
}

/** An activity that a client reported. */
export interface ActivityEntry extends Placed {
  readonly kind: 'activity';
  readonly activity: Activity;
  readonly endedAt: number | null;
}

/** What happened to a conversation or a turn, in words. */
export interface NoteEntry extends Placed {
  readonly kind: 'note';
  readonly tone: 'plain' | 'warn' | 'bad';
  readonly text: string;
  readonly code: string | null;
  readonly outcome: Outcome | null;
}

/**
 * What of a conversation an agent is shown with its next call, message by message: what others say under way has not joined
 * it, and what was cleared, trimmed or undone is no part of it.
 */
export function seenBy(agent: string, entries: readonly Entry[]): readonly SaidEntry[] {
  const calls = new Map<string, Message>();
  return entries.filter((entry): entry is SaidEntry => {
    if (entry.kind !== 'said' || !isHeard(agent, entry)) return false;
    for (const { id } of entry.message.toolCalls ?? []) calls.set(id, entry.message);
    return seenAs(agent, entry.message, calls.get(entry.message.toolCallId ?? '')) !== null;
  });
}

const isHeard = (agent: string, { standing, agent: turnOf }: SaidEntry): boolean =>
  standing === 'joined' || (standing === 'open' && turnOf === agent);

/** One message as an agent sees it; null where it sees nothing of it. A result is seen with the name of its call. */
export function seenAs(agent: string, message: Message, caller?: Message): SeenMessage | null {
  const before = caller === undefined ? 0 : viewFor(agent, NOTHING, listOf([caller])).length;
  const seen = viewFor(agent, NOTHING, listOf(caller === undefined ? [message] : [caller, message]));
  return seen[before] ?? null;
}

const NOTHING = emptyList<Message>();
