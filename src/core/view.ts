import { toArray, type AppendList } from './append-list.ts';
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

/** The context up to `sees`, then the messages of the turn under way. */
export function viewFor(
  agent: string,
  context: AppendList<Message>,
  turn: AppendList<Message>,
): readonly SeenMessage[] {
  const seen: SeenMessage[] = [];
  const callers = new Map<string, ToolCall>();
  for (const message of [...toArray(context), ...toArray(turn)]) {
    for (const call of message.toolCalls ?? []) callers.set(call.id, call);
    const view = message.author === agent ? ownView(message, callers) : othersView(agent, message, callers);
    if (view !== null) seen.push(view);
  }
  return seen;
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

const user = (content: string): SeenMessage => ({ role: 'user', content });
