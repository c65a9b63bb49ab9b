import type { AppendList } from '../model/append-list.ts';
import { READING_TOOLS } from '../fold/cleared-result.ts';
import type { Json } from '../model/json.ts';
import type { Message, ToolCall } from '../model/message.ts';
import { passagesIn, remember, repeatedIn, withRemark, type QuotedPassage } from './quoted-words.ts';
import { shortJson } from '../model/short-json.ts';

/** A message as one agent sees it: its own as assistant, all others as user with the author named (SM3). */
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

/**
 * The context up to where the turn began, then the messages of the turn in progress. Of other agents it holds their
 * messages, their structured replies and a line for each tool they used that may change something, but not their errors.
 * Text that an order repeats appears once: whole in an order to this agent, and at its first place in all other cases.
 */
export function viewFor(
  agent: string,
  context: AppendList<Message>,
  turn: AppendList<Message>,
): readonly SeenMessage[] {
  const view = prefixView(agent, context);
  const callers = turn.length > 1 ? new Map(view.callers) : view.callers;
  const looked: Looked = { seen: [...view.seen], callers, passages: [...view.passages] };
  for (let index = 0; index < turn.length; index += 1) {
    const message = turn.items[index];
    if (message !== undefined) look(agent, message, looked);
  }
  return looked.seen;
}

interface Looked {
  readonly seen: SeenMessage[];
  /** The calls met so far, by id, to name the tool on its result. */
  readonly callers: Map<string, ToolCall>;
  /** Messages since this agent last spoke or got an order. */
  readonly passages: QuotedPassage[];
}

interface PrefixView extends Looked {
  /** How many messages of the context it was made from. */
  length: number;
}

/**
 * Messages never change and contexts only grow, so the earlier view is kept and only new messages are read. Keyed by the
 * list of messages: a trimmed context has a new list, so its old view is forgotten.
 */
const views = new WeakMap<readonly Message[], Map<string, PrefixView>>();

function prefixView(agent: string, context: AppendList<Message>): PrefixView {
  const known = views.get(context.items) ?? new Map<string, PrefixView>();
  views.set(context.items, known);
  const longest = known.get(agent);
  // A turn that began earlier than another one of the same agent sees less.
  const view = longest === undefined || longest.length > context.length ? emptyView() : longest;
  if (longest === undefined) known.set(agent, view);
  for (; view.length < context.length; view.length += 1) {
    const message = context.items[view.length];
    if (message !== undefined) look(agent, message, view);
  }
  return view;
}

const emptyView = (): PrefixView => ({ seen: [], callers: new Map(), passages: [], length: 0 });

function look(agent: string, message: Message, looked: Looked): void {
  const { seen, callers } = looked;
  for (const call of message.toolCalls ?? []) callers.set(call.id, call);
  if (message.cutBefore !== undefined) seen.push(user(gap(message.cutBefore)));
  const isOwn = message.author === agent;
  if (isOrderTo(agent, message)) takeOrder(message.content, looked);
  // Parts sent in an earlier request never change.
  if (isOwn && message.role !== 'tool') looked.passages.length = 0;
  const view = isOwn ? ownView(message, callers) : othersView(agent, message, looked);
  if (view === null) return;
  remember(looked.passages, passagesOf(saidBy(agent, message, seen.length), message, callers));
  seen.push(new SourcedMessage(view, message));
}

/**
 * A seen message that knows the message it shows, for the trace of a request. A private field, because a weak map of all
 * messages costs a long run more garbage collection than everything else in it.
 */
class SourcedMessage implements SeenMessage {
  readonly role: SeenMessage['role'];
  readonly content: string;
  declare readonly toolCalls?: readonly ToolCall[];
  declare readonly toolCallId?: string;
  declare readonly toolName?: string;
  declare readonly isError?: boolean;
  declare readonly meta?: Json;
  readonly #source: Message;

  constructor(seen: SeenMessage, source: Message) {
    this.role = seen.role;
    this.content = seen.content;
    if (seen.toolCalls !== undefined) this.toolCalls = seen.toolCalls;
    if (seen.toolCallId !== undefined) this.toolCallId = seen.toolCallId;
    if (seen.toolName !== undefined) this.toolName = seen.toolName;
    if (seen.isError !== undefined) this.isError = seen.isError;
    if (seen.meta !== undefined) this.meta = seen.meta;
    this.#source = source;
  }

  static sourceOf(seen: SeenMessage): Message | undefined {
    return #source in seen ? seen.#source : undefined;
  }
}

/** Undefined for what the engine adds, such as the remark about removed messages. */
export const sourceOf = (seen: SeenMessage): Message | undefined => SourcedMessage.sourceOf(seen);

function saidBy(agent: string, message: Message, index: number): Pick<QuotedPassage, 'by' | 'index'> {
  if (message.author === agent) return { by: 'you', index: null };
  return { by: `[${speaker(message, agent)}]`, index: isOrderTo(agent, message) ? null : index };
}

function passagesOf(
  said: Pick<QuotedPassage, 'by' | 'index'>,
  message: Message,
  callers: ReadonlyMap<string, ToolCall>,
): readonly QuotedPassage[] {
  if (message.role === 'system') return [];
  if (message.role !== 'tool') return passagesIn(said, message.content);
  return message.isReply === true ? passagesIn(said, '', callers.get(message.toolCallId ?? '')?.arguments) : [];
}

const isOrder = ({ author, role }: Message): boolean => author === 'workflow' && role === 'user';

const isOrderTo = (agent: string, message: Message): boolean =>
  isOrder(message) && (message.to === undefined || message.to === agent);

/** The order is whole, so passages that it repeats are removed before it. */
function takeOrder(order: string, { seen, passages }: Looked): void {
  for (const { index, written } of repeatedIn(order, passages)) {
    const earlier = index === null ? undefined : seen[index];
    if (earlier === undefined || index === null) continue;
    const shorter = { ...earlier, content: withRemark(earlier.content, written, '(in your order below)') };
    const source = sourceOf(earlier);
    seen[index] = source === undefined ? shorter : new SourcedMessage(shorter, source);
  }
  passages.length = 0;
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

function othersView(agent: string, message: Message, { callers, passages }: Looked): SeenMessage | null {
  if (message.role === 'system') return { role: 'system', content: message.content };
  if (message.role === 'tool') return othersCall(message, callers.get(message.toolCallId ?? ''));
  if (message.standsFor !== undefined && message.to !== agent) return othersSummary(message, message.standsFor);
  if (message.content === '' || isEngineToOther(agent, message)) return null;
  if (isAddressed(agent, message)) return user(message.content);
  const text = isOrder(message) ? withoutRepeated(message.content, passages) : message.content;
  return user(`[${speaker(message, agent)}] ${text}`);
}

/** A structured reply is the agent's answer (SM4). For calls that may change something, a line is enough. */
function othersCall(message: Message, call: ToolCall | undefined): SeenMessage | null {
  if (call === undefined || message.isError === true || READING_TOOLS.has(call.name)) return null;
  const text =
    message.isReply === true
      ? `called ${call.name} with ${JSON.stringify(call.arguments)}`
      : `used ${call.name} with ${shortJson(call.arguments)}`;
  return user(`[${message.author}] ${text}`);
}

/** The summary of what another agent said before its turn was compacted, without the introduction meant for that agent. */
function othersSummary({ to = '', content }: Message, count: number): SeenMessage {
  const text = content.slice(content.indexOf('\n\n') + 2);
  return user(
    `[troupe] ${count === 1 ? `1 message of ${to} was` : `${count} messages of ${to} were`} summarised:\n\n${text}`,
  );
}

/** The engine's messages to another agent concern only that agent's turn. */
const isEngineToOther = (agent: string, { author, to }: Message): boolean =>
  author === 'troupe' && to !== undefined && to !== agent;

function withoutRepeated(order: string, passages: readonly QuotedPassage[]): string {
  return repeatedIn(order, passages).reduce(
    (text, { by, text: said }) => withRemark(text, said, `(what ${by} said above)`),
    order,
  );
}

/** Messages of the workflow or a person to this agent, or to no particular agent, need no name in front. */
function isAddressed(agent: string, message: Message): boolean {
  const isOutside = message.author === 'workflow' || message.author === 'person';
  return isOutside && (message.to === undefined || message.to === agent);
}

const speaker = ({ author, to }: Message, agent: string): string =>
  to === undefined || to === agent ? author : `${author} to ${to}`;

const gap = (count: number): string =>
  `[troupe] ${count === 1 ? '1 message was' : `${count} messages were`} left out here to keep this conversation within its length.`;

const user = (content: string): SeenMessage => ({ role: 'user', content });
