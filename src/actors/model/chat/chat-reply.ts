import { isJsonObject, type Json, type JsonObject, parseObject } from '../../../core/model/json.ts';
import type { Usage } from '../../../core/model/usage.ts';
import { objectIn, objectListIn, stringIn } from '../../read-json.ts';
import { ReplyDraft } from '../reply-draft.ts';
import type { Finish, StreamedReply } from '../wire.ts';
import { sealed } from './chat-body.ts';
import { EventStream } from './event-stream.ts';
import type { Incoming } from './post.ts';

/** Reads the stream of an OpenAI-compatible endpoint, up to the first chunk that cannot be read. */
export async function readChat(
  { read, drop }: Pick<Incoming, 'read' | 'drop'>,
  onText: (delta: string) => void,
): Promise<StreamedReply> {
  const draft: ChatDraft = { reply: new ReplyDraft(onText), calls: [], isRefused: false };
  const { reply } = draft;
  let alarm: NodeJS.Timeout | undefined;
  const events = new EventStream((data) => {
    if (alarm !== undefined || reply.error !== null) return;
    // Reads to the end of the response even after the last message: only then the connection can be reused.
    if (data === '[DONE]') alarm = setTimeout(drop, END_MS);
    else takeChunk(draft, data);
  });
  const take = (bytes: Uint8Array): boolean => {
    events.take(bytes);
    return reply.error === null;
  };
  try {
    await read(take);
    events.end();
  } catch (error) {
    if (alarm === undefined) return reply.fail(error);
  } finally {
    clearTimeout(alarm);
  }
  if (reply.error === null) takeCalls(draft);
  return reply;
}

function takeCalls({ reply, calls }: ChatDraft): void {
  for (const { signature, ...call } of calls) {
    if (call.name === '') reply.fail(new Error('a tool is called without its name'));
    reply.call(call, signature === '' ? undefined : sealed(signature));
  }
}

/** How long a response may take to end after its last event. */
const END_MS = 1000;

interface ChatDraft {
  readonly reply: ReplyDraft;
  readonly calls: CallDraft[];
  isRefused: boolean;
}

interface CallDraft {
  readonly index: number | null;
  id: string;
  name: string;
  text: string;
  signature: string;
}

/** A chunk that cannot be read, or holds an error, fails the reply. */
function takeChunk(draft: ChatDraft, data: string): void {
  const { reply } = draft;
  let chunk: unknown;
  try {
    chunk = JSON.parse(data);
  } catch (error) {
    return void reply.fail(error);
  }
  if (!isJsonObject(chunk)) return void reply.fail(new Error('an event is no JSON object'));
  const { choices } = chunk;
  if (!Array.isArray(choices) || isJsonObject(chunk['error'])) return void reply.fail(errorIn(chunk));
  reply.model ??= stringIn(chunk['model']) || null;
  reply.usage = usageIn(chunk['usage']) ?? reply.usage;
  const [choice] = objectListIn(choices);
  if (choice !== undefined) takeChoice(draft, choice);
}

/** Servers say what went wrong under `error`, as an object or in words, or in the event itself. */
function errorIn(chunk: JsonObject): unknown {
  if (isJsonObject(chunk['error']) || typeof chunk['error'] === 'string') return chunk['error'];
  return 'message' in chunk ? chunk : new Error('an event has no choices');
}

function takeChoice(draft: ChatDraft, choice: JsonObject): void {
  takeDelta(draft, objectIn(choice['delta']));
  const finish = stringIn(choice['finish_reason']);
  if (finish === '') return;
  const isWithheld = draft.isRefused && finish === 'stop';
  draft.reply.end(isWithheld ? 'content-filter' : (FINISHES[finish] ?? 'other'), finish);
}

function takeDelta(draft: ChatDraft, delta: JsonObject): void {
  const { reply } = draft;
  const thought = stringIn(delta['reasoning_content']) || stringIn(delta['reasoning']) || thoughts(delta);
  if (thought !== '') reply.say('reasoning', thought);
  const refusal = stringIn(delta['refusal']);
  draft.isRefused ||= refusal !== '';
  const text = said(delta['content']) + refusal;
  if (text !== '') reply.say('text', text);
  for (const call of objectListIn(delta['tool_calls'])) takeCall(draft.calls, call);
}

/** Mistral sends text and thoughts as a list of parts. */
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
  const piece = { id: stringIn(delta['id']), name: stringIn(called).trim(), text: argumentsText(text) };
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

/** Some servers send the arguments as an object. */
const argumentsText = (value: Json | undefined): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);

type Piece = Pick<CallDraft, 'id' | 'name' | 'text'>;

/** The call that a piece belongs to. Some servers send no index, others the same one with every call. */
function continued(calls: readonly CallDraft[], index: number | null, piece: Piece): CallDraft | undefined {
  if (index !== null)
    return sameCall(
      calls.findLast((call) => call.index === index),
      piece,
    );
  if (piece.id !== '')
    return sameCall(
      calls.findLast(({ id }) => id === piece.id),
      piece,
    );
  return piece.name === '' ? calls.at(-1) : undefined;
}

/** A piece with a name may begin another call under the same index or id. */
function sameCall(call: CallDraft | undefined, piece: Piece): CallDraft | undefined {
  if (call === undefined || piece.name === '' || call.name === '') return call;
  const isOther = call.name !== piece.name || (piece.id !== '' && call.id !== piece.id);
  return isOther || (/^\s*[{[]/.test(piece.text) && parseObject(call.text) !== null) ? undefined : call;
}

const FINISHES: Readonly<Partial<Record<string, Finish>>> = {
  stop: 'stop',
  length: 'length',
  content_filter: 'content-filter',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
  error: 'error',
};

/** Null when the endpoint did not count: zero would be a claim. DeepSeek has a separate name for its cache count. */
function usageIn(value: Json | undefined): Usage | null {
  const usage = objectIn(value);
  const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = usage;
  if (typeof inputTokens !== 'number' || typeof outputTokens !== 'number') return null;
  const cached = objectIn(usage['prompt_tokens_details'])['cached_tokens'] || usage['prompt_cache_hit_tokens'];
  const cacheReadTokens = typeof cached === 'number' ? cached : 0;
  return { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens: 0, calls: 1 };
}
