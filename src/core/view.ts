import type { AppendList } from './append-list.ts';
import type { Json } from './json.ts';
import type { Message, ToolCall } from './message.ts';

/** A message as one agent sees it: its own words as assistant, everyone else's as user with the author named (SM3). */
export interface SeenMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
  readonly toolCalls?: readonly ToolCall[];
  readonly toolCallId?: string;
  /** On a tool's result: the tool's name. */
  readonly toolName?: string;
  readonly isError?: boolean;
  readonly meta?: Json;
}

/** The context up to where the turn began, then the messages of the turn under way. */
export function viewFor(
  agent: string,
  context: AppendList<Message>,
  turn: AppendList<Message>,
): readonly SeenMessage[] {
  const view = prefixView(agent, context);
  const seen = view.seen.slice(0, view.ends[context.length - 1] ?? 0);
  const callers = turn.length > 1 ? new Map(view.callers) : view.callers;
  for (let index = 0; index < turn.length; index += 1) {
    const message = turn.items[index];
    if (message !== undefined) look(agent, message, { seen, callers });
  }
  return seen;
}

interface Looked {
  readonly seen: SeenMessage[];
  /** The calls met so far, by id, to name the tool on its result. */
  readonly callers: Map<string, ToolCall>;
}

interface PrefixView extends Looked {
  /** For each message of the context, how much of `seen` it and those before it made. */
  readonly ends: number[];
}

/**
 * Messages never change and contexts only grow, so what an agent saw before is kept and only what is new is looked at.
 * Belongs to the list of messages itself: when the context is trimmed there is a new list, and the old view is forgotten.
 */
const views = new WeakMap<readonly Message[], Map<string, PrefixView>>();

function prefixView(agent: string, context: AppendList<Message>): PrefixView {
  const known = views.get(context.items) ?? new Map<string, PrefixView>();
  const view = known.get(agent) ?? { seen: [], ends: [], callers: new Map<string, ToolCall>() };
  known.set(agent, view);
  views.set(context.items, known);
  for (let index = view.ends.length; index < context.length; index += 1) {
    const message = context.items[index];
    if (message !== undefined) look(agent, message, view);
    view.ends.push(view.seen.length);
  }
  return view;
}

function look(agent: string, message: Message, { seen, callers }: Looked): void {
  for (const call of message.toolCalls ?? []) callers.set(call.id, call);
  if (message.cutBefore !== undefined) seen.push(user(gap(message.cutBefore)));
  const view = message.author === agent ? ownView(message, callers) : othersView(agent, message, callers);
  if (view !== null) seen.push(view);
}

function ownView(message: Message, callers: ReadonlyMap<string, ToolCall>): SeenMessage {
  if (message.role === 'tool') return toolResult(message, callers);
  return {
    role: message.role === 'system' ? 'system' : 'assistant',
    content: message.content,
    ...(message.toolCalls && message.toolCalls.length > 0 ? { toolCalls: message.toolCalls } : {}),
    ...(message.meta === undefined ? {} : { meta: message.meta }),
  };
}

function toolResult(message: Message, callers: ReadonlyMap<string, ToolCall>): SeenMessage {
  const id = message.toolCallId ?? '';
  return {
    role: 'tool',
    content: message.content,
    toolCallId: id,
    toolName: callers.get(id)?.name ?? 'unknown',
    ...(message.isError === true ? { isError: true } : {}),
  };
}

function othersView(agent: string, message: Message, callers: ReadonlyMap<string, ToolCall>): SeenMessage | null {
  if (message.role === 'system') return { role: 'system', content: message.content };
  if (message.role === 'tool') {
    const tool = callers.get(message.toolCallId ?? '')?.name ?? 'tool';
    return user(`[${message.author}] ${tool} returned: ${message.content}`);
  }
  const text = words(message);
  if (text === '') return null;
  return user(isAddressed(agent, message) ? text : `[${speaker(message)}] ${text}`);
}

/** What the workflow or a person says to this agent, or to nobody in particular, needs no name in front. */
function isAddressed(agent: string, message: Message): boolean {
  const isOutside = message.author === 'workflow' || message.author === 'person';
  return isOutside && (message.to === undefined || message.to === agent);
}

const speaker = ({ author, to }: Message): string => (to === undefined ? author : `${author} to ${to}`);

function words(message: Message): string {
  const calls = (message.toolCalls ?? []).map((call) => `called ${call.name} with ${JSON.stringify(call.arguments)}`);
  return [message.content, ...calls].filter((part) => part !== '').join('\n');
}

const gap = (count: number): string =>
  `[troupe] ${count === 1 ? '1 message was' : `${count} messages were`} left out here to keep this conversation within its length.`;

const user = (content: string): SeenMessage => ({ role: 'user', content });
