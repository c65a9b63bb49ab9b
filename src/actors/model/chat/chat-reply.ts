import { isJsonObject, type Json, type JsonObject } from '../../../core/model/json.ts';
import type { ToolCall } from '../../../core/model/message.ts';
import type { Usage } from '../../../core/model/usage.ts';
import { objectIn, objectListIn, stringIn } from '../../read-json.ts';
import { overflowIn } from '../endpoint-error.ts';
import type { ReplyPart } from '../wire.ts';
import { argumentProblem, freshId } from '../read-stream.ts';
import type { Finish, StreamedReply } from '../wire.ts';
import { sealed } from './chat-body.ts';
import { eventData } from './event-data.ts';

export const NO_REPLY: StreamedReply = {
  parts: [],
  calls: [],
  malformed: {},
  usage: null,
  model: null,
  finish: null,
  ignored: [],
  error: null,
};

/** Reads the stream of an OpenAI-compatible endpoint. What cannot be read ends it. */
export async function readChat(
  body: AsyncIterable<Uint8Array>,
  onText: (delta: string) => void,
): Promise<StreamedReply> {
  const draft: Draft = { words: new Map(), calls: [], usage: null, model: null, finish: null, isRefused: false };
  let isDone = false;
  // To the end of the response also when all was said: only then its connection can be used again.
  for await (const data of eventData(body)) {
    isDone ||= data === '[DONE]';
    const error = isDone ? null : takeChunk(draft, data, onText);
    if (error !== null) return reply(draft, error);
  }
  const nameless = draft.calls.some(({ name }) => name === '');
  return reply(draft, nameless ? new Error('a tool is called without its name') : null);
}

interface Draft {
  /** What was said and thought, in the order in which each began. */
  readonly words: Map<'text' | 'reasoning', string>;
  readonly calls: CallDraft[];
  usage: Usage | null;
  model: string | null;
  finish: Finish | null;
  isRefused: boolean;
}

interface CallDraft {
  readonly index: number | null;
  id: string;
  name: string;
  text: string;
  signature: string;
}

/** What is wrong with a chunk, as it came or in words; null when it was taken. */
function takeChunk(draft: Draft, data: string, onText: (delta: string) => void): unknown {
  let chunk: unknown;
  try {
    chunk = JSON.parse(data);
  } catch (error) {
    return error;
  }
  if (!isJsonObject(chunk)) return new Error('an event is no JSON object');
  if (isJsonObject(chunk['error']) || typeof chunk['error'] === 'string') return chunk['error'];
  if (!Array.isArray(chunk['choices'])) return new Error('an event has no choices');
  draft.model ??= stringIn(chunk['model']) || null;
  draft.usage = usageIn(chunk['usage']) ?? draft.usage;
  for (const choice of objectListIn(chunk['choices']).slice(0, 1)) takeChoice(draft, choice, onText);
  return null;
}

function takeChoice(draft: Draft, choice: JsonObject, onText: (delta: string) => void): void {
  takeDelta(draft, objectIn(choice['delta']), onText);
  const finish = stringIn(choice['finish_reason']);
  if (finish !== '') draft.finish = finishOf(finish, draft.isRefused);
}

function takeDelta(draft: Draft, delta: JsonObject, onText: (delta: string) => void): void {
  say(draft, 'reasoning', stringIn(delta['reasoning_content']) || stringIn(delta['reasoning']) || thoughts(delta));
  const refusal = stringIn(delta['refusal']);
  draft.isRefused ||= refusal !== '';
  const text = said(delta['content']) + refusal;
  say(draft, 'text', text);
  if (text !== '') onText(text);
  for (const call of objectListIn(delta['tool_calls'])) takeCall(draft.calls, call);
}

function say({ words }: Draft, kind: 'text' | 'reasoning', text: string): void {
  if (text !== '') words.set(kind, (words.get(kind) ?? '') + text);
}

/** Mistral sends what is said and thought as a list of parts. */
const said = (content: Json | undefined): string =>
  typeof content === 'string' ? content : objectListIn(content).map(textOf).join('');

const thoughts = ({ content }: JsonObject): string =>
  objectListIn(content)
    .flatMap((part) => objectListIn(part['thinking']))
    .map(textOf)
    .join('');

const textOf = (part: JsonObject): string => (part['type'] === 'text' ? stringIn(part['text']) : '');

function takeCall(calls: CallDraft[], delta: JsonObject): void {
  const { name: called, arguments: text } = objectIn(delta['function']);
  const piece = { id: stringIn(delta['id']), name: stringIn(called).trim(), text: stringIn(text) };
  const index = typeof delta['index'] === 'number' ? delta['index'] : null;
  let call = continued(calls, index, piece);
  if (call === undefined) {
    call = { index, id: '', name: '', text: '', signature: '' };
    calls.push(call);
  }
  call.id ||= piece.id;
  call.name ||= piece.name;
  call.text += piece.text;
  const google = objectIn(objectIn(delta['extra_content'])['google']);
  call.signature ||= stringIn(google['thought_signature']);
}

type Piece = Pick<CallDraft, 'id' | 'name' | 'text'>;

/** The call that a piece goes on with. Some servers send no index, others the same one with every call. */
function continued(calls: readonly CallDraft[], index: number | null, piece: Piece): CallDraft | undefined {
  if (index !== null)
    return unlessOther(
      calls.findLast((call) => call.index === index),
      piece,
    );
  if (piece.id !== '')
    return unlessOther(
      calls.findLast(({ id }) => id === piece.id),
      piece,
    );
  return piece.name === '' ? calls.at(-1) : undefined;
}

/** A piece with a name may begin another call under the same index or id. */
function unlessOther(call: CallDraft | undefined, piece: Piece): CallDraft | undefined {
  if (call === undefined || piece.name === '' || call.name === '') return call;
  const isOther = call.name !== piece.name || (piece.id !== '' && call.id !== piece.id);
  return isOther || (/^\s*[{[]/.test(piece.text) && isWhole(call.text)) ? undefined : call;
}

const isWhole = (text: string): boolean => typeof parsed(text) === 'object';

function finishOf(reason: string, isRefused: boolean): Finish {
  if (overflowIn(reason) !== null) return 'overflow';
  if (isRefused && reason === 'stop') return 'content-filter';
  return FINISHES[reason] ?? 'other';
}

const FINISHES: Readonly<Partial<Record<string, Finish>>> = {
  stop: 'stop',
  length: 'length',
  content_filter: 'content-filter',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
};

/** Null when the endpoint did not count: zero would be a claim. DeepSeek counts its cache under a name of its own. */
function usageIn(value: Json | undefined): Usage | null {
  const usage = objectIn(value);
  const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = usage;
  if (typeof inputTokens !== 'number' || typeof outputTokens !== 'number') return null;
  const cached = objectIn(usage['prompt_tokens_details'])['cached_tokens'] || usage['prompt_cache_hit_tokens'];
  const cacheReadTokens = typeof cached === 'number' ? cached : 0;
  return { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens: 0, calls: 1 };
}

function reply(draft: Draft, error: unknown): StreamedReply {
  const parts: ReplyPart[] = [...draft.words].map(([kind, text]) => ({ kind, text }));
  const calls: ToolCall[] = [];
  // A model chooses the ids: without a prototype, `__proto__` is a key like any other.
  const malformed = Object.create(null) as Record<string, string>;
  for (const { id: given, name, text, signature } of draft.calls) {
    const id = freshId(calls, given);
    const value = text.trim() === '' ? {} : parsed(text);
    calls.push({ id, name, arguments: value });
    parts.push({ kind: 'call', id, ...(signature === '' ? {} : { options: sealed(signature) }) });
    const problem = argumentProblem(value);
    if (problem !== null) malformed[id] = problem;
  }
  const { usage, model, finish } = draft;
  return {
    ...NO_REPLY,
    parts,
    calls,
    malformed,
    usage,
    model,
    finish,
    error: error === null ? null : { cause: error },
  };
}

/** Text that is no JSON stays text. */
function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
