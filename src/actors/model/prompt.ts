import type { ReplyPart } from './wire.ts';
import type { LanguageModelV4Message, LanguageModelV4ToolResultPart, SharedV4ProviderOptions } from '@ai-sdk/provider';
import { unreachable } from '../../core/model/fault.ts';
import { isJsonObject, type Json, type JsonObject } from '../../core/model/json.ts';
import type { ToolCall } from '../../core/model/message.ts';
import type { SeenMessage } from '../../core/look/view.ts';
import type { CallRequest } from '../port.ts';

/** The model that said it. Signatures and encrypted reasoning mean nothing to another one. */
interface MetaSource {
  readonly provider: string;
  readonly model: string;
}

/** Undefined when text and calls say it all. Text and arguments are not stored twice: the message has them. */
export function metaOf(parts: readonly ReplyPart[], source: MetaSource): Json | undefined {
  if (!parts.some((part) => part.kind === 'reasoning' || part.options !== undefined)) return undefined;
  const stored = parts.map((part) =>
    part.kind === 'text' ? { kind: 'text', length: part.text.length, options: part.options } : part,
  );
  // Provider metadata may hold undefined and other things that JSON has not.
  return JSON.parse(JSON.stringify({ provider: source.provider, model: source.model, parts: stored })) as Json;
}

/** The parts of a message said earlier. Without usable `meta`: its text, then its calls. */
export function replyParts(
  message: { readonly content: string; readonly toolCalls?: readonly ToolCall[]; readonly meta?: Json },
  source: MetaSource,
): readonly ReplyPart[] {
  return storedParts(message.content, message.meta, source) ?? plainParts(message.content, message.toolCalls ?? []);
}

function plainParts(content: string, calls: readonly ToolCall[]): readonly ReplyPart[] {
  const text: ReplyPart[] = content === '' ? [] : [{ kind: 'text', text: content }];
  return [...text, ...calls.map((call): ReplyPart => ({ kind: 'call', id: call.id }))];
}

function storedParts(content: string, meta: Json | undefined, source: MetaSource): readonly ReplyPart[] | null {
  if (!isJsonObject(meta) || meta['provider'] !== source.provider || meta['model'] !== source.model) return null;
  const stored = meta['parts'];
  if (!Array.isArray(stored)) return null;
  const parts: ReplyPart[] = [];
  let from = 0;
  for (const entry of stored as readonly Json[]) {
    const part = isJsonObject(entry) ? storedPart(entry, content.slice(from)) : null;
    if (part === null) return null;
    if (part.kind === 'text') from += part.text.length;
    parts.push(part);
  }
  // Words that were changed since do not belong to these signatures any more.
  return from === content.length ? parts : null;
}

function storedPart(entry: JsonObject, rest: string): ReplyPart | null {
  const options = isJsonObject(entry['options']) ? { options: entry['options'] } : {};
  const { kind, length, text, id } = entry;
  if (kind === 'text' && typeof length === 'number') return { kind, text: rest.slice(0, length), ...options };
  if (kind === 'reasoning' && typeof text === 'string') return { kind, text, ...options };
  if (kind === 'call' && typeof id === 'string') return { kind, id, ...options };
  return null;
}

export type PromptMessage<Role extends string = string> = Extract<LanguageModelV4Message, { role: Role }>;

export interface ModelPrompt {
  /** First the text all agents of a run share, then the role's own: providers cache prefixes (A5). */
  readonly system: PromptMessage<'system'>[];
  readonly messages: LanguageModelV4Message[];
}

/**
 * The conversation in the shape the strictest chat templates take: it begins with the user, sides alternate, every call
 * has its result right behind it, and no message is empty. Nothing is added that does not follow from the journal: the name
 * of the agent stands behind what it heard before its first words. The two vendors get the parts of a message one by one, so
 * that a prefix can end between them; others get one system message and plain text.
 */
export function promptFor(request: CallRequest, source: MetaSource): ModelPrompt {
  const examples: readonly SeenMessage[] = request.role.examples;
  const leading = request.messages.findIndex((message) => message.role !== 'system');
  const head = leading === -1 ? request.messages : request.messages.slice(0, leading);
  const ofRole = [...examples.filter((message) => message.role === 'system'), ...head];
  const texts = [request.shared, joined([request.role.systemMessage, ...ofRole.map((message) => message.content)])];
  const hasBlocks = source.provider === 'anthropic' || source.provider === 'openai';
  const system = hasBlocks ? texts : [joined(texts)];
  const draft: Draft = { messages: [], open: new Map(), source };
  for (const message of examples) if (message.role !== 'system') add(draft, message);
  addConversation(draft, request, head.length);
  close(draft);
  return {
    system: system.filter((content) => content !== '').map((content) => ({ role: 'system', content })),
    messages: hasBlocks ? draft.messages : draft.messages.map(asText),
  };
}

/** Before examples of a role that begin with the agent's words: a conversation itself begins with an order or the agent's name. */
const BEGIN = 'Begin.';
const NO_RESULT = 'No result of this call was recorded.';

interface Draft {
  readonly messages: LanguageModelV4Message[];
  /** Calls that wait for their result, with the tool's name. */
  readonly open: Map<string, string>;
  readonly source: MetaSource;
}

function addConversation(draft: Draft, { messages, introduction = '' }: CallRequest, from: number): void {
  const spoke = messages.findIndex((message, index) => index >= from && message.role === 'assistant');
  const first = spoke === -1 ? messages.length : spoke;
  for (const message of messages.slice(from, first)) add(draft, message);
  addUser(draft, introduction);
  for (const message of messages.slice(first)) add(draft, message);
}

function add(draft: Draft, message: SeenMessage): void {
  switch (message.role) {
    case 'tool':
      return addResult(draft, message);
    case 'assistant':
      return addAssistant(draft, message);
    case 'user':
      return addUser(draft, message.content);
    // Few endpoints take a system message in the middle, so it comes as a marked word of the user's side.
    case 'system':
      return addUser(draft, message.content === '' ? '' : `[system] ${message.content}`);
  }
}

function addUser(draft: Draft, content: string): void {
  if (content === '') return;
  close(draft);
  const last = draft.messages.at(-1);
  if (last?.role === 'user') last.content.push({ type: 'text', text: content });
  else draft.messages.push({ role: 'user', content: [{ type: 'text', text: content }] });
}

/** Chat templates that take text only get the parts of a message as one. */
function asText(message: LanguageModelV4Message): LanguageModelV4Message {
  if (message.role !== 'user') return message;
  const text = joined(message.content.map((part) => (part.type === 'text' ? part.text : '')));
  return { role: 'user', content: [{ type: 'text', text }] };
}

function addAssistant(draft: Draft, message: SeenMessage): void {
  const calls = new Map((message.toolCalls ?? []).map((call) => [call.id, call]));
  const content = replyParts(message, draft.source).flatMap((part) => assistantPart(part, calls));
  if (content.length === 0) return;
  close(draft);
  if (draft.messages.length === 0) addUser(draft, BEGIN);
  const last = draft.messages.at(-1);
  if (last?.role === 'assistant') last.content.push(...content);
  else draft.messages.push({ role: 'assistant', content });
  for (const call of calls.values()) draft.open.set(call.id, call.name);
}

type AssistantPart = PromptMessage<'assistant'>['content'][number];

function assistantPart(part: ReplyPart, calls: ReadonlyMap<string, ToolCall>): AssistantPart[] {
  const options = part.options === undefined ? {} : { providerOptions: part.options as SharedV4ProviderOptions };
  switch (part.kind) {
    case 'text':
      return part.text === '' ? [] : [{ type: 'text', text: part.text, ...options }];
    case 'reasoning':
      return [{ type: 'reasoning', text: part.text, ...options }];
    case 'call': {
      const call = calls.get(part.id);
      if (call === undefined) return [];
      return [
        { type: 'tool-call', toolCallId: call.id, toolName: call.name, input: input(call.arguments), ...options },
      ];
    }
    default:
      return unreachable(part);
  }
}

/** Endpoints take only objects, so other arguments are shown to the model under a name. */
function input(value: Json): JsonObject {
  return isJsonObject(value) ? value : { unparsed: value };
}

function addResult(draft: Draft, message: SeenMessage): void {
  const id = message.toolCallId ?? '';
  const toolName = draft.open.get(id);
  // Its call was trimmed away: without it the result becomes plain text.
  if (toolName === undefined) return addUser(draft, `[${message.toolName ?? 'tool'}] returned: ${message.content}`);
  draft.open.delete(id);
  pushResult(draft, {
    type: 'tool-result',
    toolCallId: id,
    toolName,
    output: { type: message.isError === true ? 'error-text' : 'text', value: message.content },
  });
}

/** Unanswered calls: a stopped turn leaves some, and endpoints refuse the whole conversation for one. */
function close(draft: Draft): void {
  for (const [toolCallId, toolName] of draft.open) {
    pushResult(draft, { type: 'tool-result', toolCallId, toolName, output: { type: 'error-text', value: NO_RESULT } });
  }
  draft.open.clear();
}

function pushResult(draft: Draft, result: LanguageModelV4ToolResultPart): void {
  const last = draft.messages.at(-1);
  if (last?.role === 'tool') last.content.push(result);
  else draft.messages.push({ role: 'tool', content: [result] });
}

const joined = (texts: readonly string[]): string => texts.filter((text) => text !== '').join('\n\n');
