import { emptyList, listOf } from '../../src/core/append-list.ts';
import type { Message } from '../../src/core/message.ts';
import { viewFor, type SeenMessage } from '../../src/core/view.ts';
import type { Entry, SaidEntry } from './transcript-entry.ts';

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
