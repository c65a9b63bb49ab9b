import { append, emptyList, listOf, toArray } from '../model/append-list.ts';
import { mapValues } from '../model/map-values.ts';
import type { Message } from '../model/message.ts';
import type { OpenedContext } from '../record/fact.ts';
import type { Context } from './snapshot.ts';
import type { TurnProgress } from './turn-state.ts';

/** Even over its limit a context keeps this many of the newest messages (SM2). */
const KEPT_AT_LEAST = 10;

export function openContext({ messages, maxLength, dropped = 0, views }: Omit<OpenedContext, 'name'>): Context {
  const context = { messages: listOf(messages), chars: charsOf(messages), maxLength, dropped };
  if (views === undefined) return context;
  const lists = Object.entries(views).map(([agent, view]) => [agent, listOf(view)] as const);
  return { ...context, views: Object.fromEntries(lists) };
}

/** The conversation as another run can begin with it: what one agent sees of it, copied, since this run's lists still grow. */
export function contextFor(name: string, context: Context, agent: string): OpenedContext {
  const { messages, maxLength, dropped, views } = context;
  const view = views?.[agent];
  return {
    name,
    messages: [...toArray(messages)],
    maxLength,
    ...(dropped === 0 ? {} : { dropped }),
    ...(view === undefined ? {} : { views: { [agent]: [...toArray(view)] } }),
  };
}

export function appendMessage(context: Context, message: Message): Context {
  const { views } = context;
  return {
    ...context,
    messages: append(context.messages, message),
    chars: context.chars + lengthOf(message),
    ...(views === undefined ? {} : { views: mapValues(views, (view) => append(view, message)) }),
  };
}

/** A turn's messages join the context in one piece. An agent whose turn was compacted continues from there in its own view. */
export function joinTurn(context: Context, agent: string, turn: TurnProgress): Context {
  const said = toArray(turn.messages);
  const joined = said.reduce(appendMessage, context);
  const seen = context.views?.[agent];
  // If its view was removed meanwhile, it is unknown which messages it has not seen.
  if (
    turn.base === undefined ||
    turn.compactions === undefined ||
    (seen === undefined) !== (turn.seesOfView === undefined)
  )
    return joined;
  const unseen = toArray(seen ?? context.messages).slice(turn.seesOfView ?? turn.sees);
  const view = listOf([...toArray(turn.base), ...unseen, ...said]);
  return { ...joined, views: { ...joined.views, [agent]: view } };
}

export function clearContext(context: Context): Context {
  const { views: _forgotten, ...rest } = context;
  return { ...rest, messages: emptyList(), chars: 0 };
}

/** How many of the oldest messages must go; 0 when the context fits, or when nothing more may go (SM2, A1). */
export function overflow(context: Context): number {
  if (context.chars <= context.maxLength) return 0;
  const messages = toArray(context.messages);
  const kept = keptAlways(messages);
  const others = messages.filter((message) => message.role !== 'system');
  const end = others.length - KEPT_AT_LEAST;
  let chars = context.chars;
  let dropped = 0;
  for (let index = 0; index < end && chars > context.maxLength;) {
    const group = others.slice(index, index + groupSize(others, index));
    index += group.length;
    if (group.some((message) => kept.has(message))) continue;
    if (index > end) break;
    for (const message of group) chars -= lengthOf(message);
    dropped += group.length;
  }
  return dropped;
}

/** Drops the oldest messages that may go, and notes on the message behind each gap how many are missing there. */
export function trimContext(context: Context, dropped: number): Context {
  const messages = toArray(context.messages);
  const always = keptAlways(messages);
  const left: Message[] = [];
  let [toDrop, missing] = [dropped, 0];
  for (const message of messages) {
    const cut = message.cutBefore ?? 0;
    if (toDrop > 0 && !always.has(message)) {
      [toDrop, missing] = [toDrop - 1, missing + cut + 1];
    } else {
      left.push(missing === 0 ? message : { ...message, cutBefore: missing + cut });
      missing = 0;
    }
  }
  const chars = charsOf(left);
  return {
    ...context,
    ...smallerViews(context, chars),
    messages: listOf(left),
    chars,
    dropped: context.dropped + dropped,
  };
}

/** An agent whose own view is larger than the trimmed context sees the context again. */
function smallerViews({ views = {} }: Context, chars: number): Pick<Context, 'views'> {
  const smaller = Object.entries(views).filter(([, view]) => charsOf(toArray(view)) <= chars);
  return Object.keys(views).length === 0 ? {} : { views: Object.fromEntries(smaller) };
}

const charsOf = (messages: readonly Message[]): number => messages.reduce((sum, message) => sum + lengthOf(message), 0);

/** How many of the first messages are left after so many are dropped. */
export function leftOf(context: Context, of: { readonly first: number; readonly dropped: number }): number {
  if (of.dropped === Infinity) return 0;
  const messages = toArray(context.messages);
  const always = keptAlways(messages);
  const first = messages.slice(0, of.first);
  return first.length - Math.min(of.dropped, first.filter((message) => !always.has(message)).length);
}

/** Messages that no trim removes: system messages, and the first and the newest order to each agent (A1). */
function keptAlways(messages: readonly Message[]): ReadonlySet<Message> {
  const kept = new Set(messages.filter((message) => message.role === 'system'));
  const newest = new Map<string | undefined, Message>();
  for (const message of messages) {
    if (!isOrder(message)) continue;
    if (!newest.has(message.to)) kept.add(message);
    newest.set(message.to, message);
  }
  return new Set([...kept, ...newest.values()]);
}

export const isOrder = ({ author, role }: Message): boolean =>
  role === 'user' && (author === 'workflow' || author === 'person');

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
