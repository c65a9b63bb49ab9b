import type { Json, JsonObject } from '../../core/model/json.ts';
import type { SeenMessage } from '../../core/look/view.ts';
import { objectIn, objectListIn, stringIn } from '../read-json.ts';
import {
  contentText,
  DEFAULT_CHUNK,
  pieces,
  type WireContext,
  type WireError,
  type WireEvent,
  type WireFormat,
} from './wire-format.ts';
import { argumentsText, type ScriptedAnswer, type ScriptedUsage } from './rule.ts';

/** Anthropic Messages. */
export const anthropicMessages: WireFormat = {
  path: '/messages',
  read: (body) => ({
    model: stringIn(body['model']),
    isStream: body['stream'] === true,
    messages: [...readSystem(body['system']), ...objectListIn(body['messages']).flatMap(readMessage)],
    tools: objectListIn(body['tools']).map((tool) => ({
      name: stringIn(tool['name']),
      description: stringIn(tool['description']),
      parameters: objectIn(tool['input_schema']),
    })),
  }),
  replyBody: (answer, context) => ({
    ...head(answer, context),
    content: [
      ...(answer.think === '' ? [] : [{ type: 'thinking', thinking: answer.think, signature: signature(answer) }]),
      ...(answer.text === '' ? [] : [{ type: 'text', text: answer.text }]),
      ...answer.calls.map((call) => ({ type: 'tool_use', id: call.id, name: call.name, input: call.arguments })),
    ],
    stop_reason: stopReason(answer),
    usage: usage(answer.usage),
  }),
  replyEvents,
  errorBody,
  errorEvent: (error) => ({ event: 'error', data: errorBody(error) }),
  overloaded: { status: 529, error: 'overloaded_error', message: 'Overloaded' },
  overflow: (tokens, window) => ({
    status: 400,
    error: null,
    message: `prompt is too long: ${tokens} tokens > ${window} maximum`,
  }),
};

function readSystem(system: Json | undefined): readonly SeenMessage[] {
  const content = contentText(system);
  return content === '' ? [] : [{ role: 'system', content }];
}

function readMessage(message: JsonObject): readonly SeenMessage[] {
  const content = message['content'];
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : objectListIn(content);
  const said = blocks.filter((block) => block['type'] === 'text' && !isReminder(stringIn(block['text'])));
  const words = contentText(said);
  if (message['role'] === 'assistant') return [assistant(words, blocks)];
  if (message['role'] === 'system') return [{ role: 'system', content: words }];
  const results = blocks.filter((block) => block['type'] === 'tool_result').map(toolResult);
  return words === '' && results.length > 0 ? results : [...results, { role: 'user', content: words }];
}

/** Claude Code inserts its notes between tool results; they are not from the user. */
const isReminder = (words: string): boolean => words.trimStart().startsWith('<system-reminder>');

function assistant(content: string, blocks: readonly JsonObject[]): SeenMessage {
  const toolCalls = blocks
    .filter((block) => block['type'] === 'tool_use')
    .map((block) => ({ id: stringIn(block['id']), name: stringIn(block['name']), arguments: block['input'] ?? {} }));
  return { role: 'assistant', content, ...(toolCalls.length === 0 ? {} : { toolCalls }) };
}

function toolResult(block: JsonObject): SeenMessage {
  const isError = block['is_error'] === true ? { isError: true } : {};
  return {
    role: 'tool',
    content: contentText(block['content']),
    toolCallId: stringIn(block['tool_use_id']),
    ...isError,
  };
}

function replyEvents(answer: ScriptedAnswer, context: WireContext): readonly WireEvent[] {
  const size = answer.chunk ?? DEFAULT_CHUNK;
  const opening = { ...head(answer, context), content: [], stop_reason: null };
  const blocks: (readonly WireEvent[])[] = [];
  if (answer.think !== '') {
    const deltas = pieces(answer.think, size).map((piece): JsonObject => ({ type: 'thinking_delta', thinking: piece }));
    const signed = [...deltas, { type: 'signature_delta', signature: signature(answer) }];
    blocks.push(block(0, { type: 'thinking', thinking: '', signature: '' }, signed));
  }
  if (answer.text !== '') {
    const deltas = pieces(answer.text, size).map((piece) => ({ type: 'text_delta', text: piece }));
    blocks.push(block(blocks.length, { type: 'text', text: '' }, deltas));
  }
  for (const call of answer.calls) {
    const deltas = pieces(argumentsText(call), size).map((piece) => ({
      type: 'input_json_delta',
      partial_json: piece,
    }));
    blocks.push(block(blocks.length, { type: 'tool_use', id: call.id, name: call.name, input: {} }, deltas));
  }
  return [
    named({ type: 'message_start', message: { ...opening, usage: { ...usage(answer.usage), output_tokens: 1 } } }),
    named({ type: 'ping' }),
    ...blocks.flat(),
    named({
      type: 'message_delta',
      delta: { stop_reason: stopReason(answer), stop_sequence: null },
      usage: { output_tokens: answer.usage.output },
    }),
    named({ type: 'message_stop' }),
  ];
}

function block(index: number, opening: JsonObject, deltas: readonly JsonObject[]): readonly WireEvent[] {
  return [
    named({ type: 'content_block_start', index, content_block: opening }),
    ...deltas.map((delta) => named({ type: 'content_block_delta', index, delta })),
    named({ type: 'content_block_stop', index }),
  ];
}

const signature = (answer: ScriptedAnswer): string => `signed-${answer.id}`;

const named = (data: JsonObject & { readonly type: string }): WireEvent => ({ event: data.type, data });

function head(answer: ScriptedAnswer, context: WireContext): JsonObject {
  return {
    id: `msg_${answer.id}`,
    type: 'message',
    role: 'assistant',
    model: context.request.model,
    stop_sequence: null,
  };
}

function stopReason(answer: ScriptedAnswer): string {
  if (answer.finish === 'length') return 'max_tokens';
  if (answer.finish === 'filtered') return 'refusal';
  return answer.calls.length > 0 ? 'tool_use' : 'end_turn';
}

/** Here, unlike elsewhere, input tokens are only those that no cache held. */
function usage(usage: ScriptedUsage): JsonObject {
  return {
    input_tokens: Math.max(0, usage.input - usage.cacheRead - usage.cacheWrite),
    cache_creation_input_tokens: usage.cacheWrite,
    cache_read_input_tokens: usage.cacheRead,
    output_tokens: usage.output,
  };
}

const TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

function errorBody(error: WireError): JsonObject {
  const type = error.error ?? TYPES[error.status] ?? (error.status >= 500 ? 'api_error' : 'invalid_request_error');
  return { type: 'error', error: { type, message: error.message } };
}
