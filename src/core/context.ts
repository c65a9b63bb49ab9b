import { append, emptyList, listOf, toArray } from './append-list.ts';
import type { Message } from './message.ts';
import type { Context } from './snapshot.ts';

/** Even over its limit a context keeps this many of the newest messages (SM2). */
const KEPT_AT_LEAST = 10;

export function openContext(spec: { readonly messages: readonly Message[]; readonly maxLength: number }): Context {
  const chars = spec.messages.reduce((sum, message) => sum + lengthOf(message), 0);
  return { messages: listOf(spec.messages), chars, maxLength: spec.maxLength, dropped: 0 };
}

export function appendMessage(context: Context, message: Message): Context {
  return { ...context, messages: append(context.messages, message), chars: context.chars + lengthOf(message) };
}

export function clearContext(context: Context): Context {
  return { ...context, messages: emptyList(), chars: 0 };
}

/** How many of the oldest messages that are not system messages must go; 0 when the context fits (SM2). */
export function overflow(context: Context): number {
  if (context.chars <= context.maxLength) return 0;
  const others = toArray(context.messages).filter((message) => message.role !== 'system');
  const most = others.length - KEPT_AT_LEAST;
  let chars = context.chars;
  let dropped = 0;
  while (dropped < most && chars > context.maxLength) {
    const size = groupSize(others, dropped);
    if (dropped + size > most) break;
    for (const message of others.slice(dropped, dropped + size)) chars -= lengthOf(message);
    dropped += size;
  }
  return dropped;
}

/** Drops the oldest messages that are not system messages. */
export function trimContext(context: Context, dropped: number): Context {
  let left = dropped;
  const kept = toArray(context.messages).filter((message) => message.role === 'system' || left-- <= 0);
  const chars = kept.reduce((sum, message) => sum + lengthOf(message), 0);
  return { ...context, messages: listOf(kept), chars, dropped: context.dropped + dropped };
}

/** How many of the first messages are left when so many are dropped: system messages stay, unless all goes. */
export function leftOf(context: Context, of: { readonly first: number; readonly dropped: number }): number {
  if (of.dropped === Infinity) return 0;
  const first = toArray(context.messages).slice(0, of.first);
  return first.length - Math.min(of.dropped, first.filter((message) => message.role !== 'system').length);
}

/** A message with tool calls goes together with the results that follow it: a call is never cut from its result. */
function groupSize(messages: readonly Message[], first: number): number {
  let size = 1;
  while (messages[first + size]?.role === 'tool') size += 1;
  return size;
}

function lengthOf(message: Message): number {
  const calls = message.toolCalls;
  return message.content.length + (calls === undefined || calls.length === 0 ? 0 : JSON.stringify(calls).length);
}
