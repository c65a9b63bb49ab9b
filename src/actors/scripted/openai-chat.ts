import type { JsonObject } from '../../core/model/json.ts';
import type { SeenMessage } from '../../core/look/view.ts';
import { objectIn, objectListIn, stringIn } from '../read-json.ts';
import {
  argumentsValue,
  contentText,
  DEFAULT_CHUNK,
  pieces,
  type WireContext,
  type WireError,
  type WireEvent,
  type WireFormat,
} from './wire-format.ts';
import { argumentsText, type ScriptedAnswer, type ScriptedCall, type ScriptedUsage } from './rule.ts';

const TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'insufficient_quota',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
};

/** The error object both OpenAI formats share. */
export function openAiError(error: WireError): JsonObject {
  const type = error.error ?? TYPES[error.status] ?? (error.status >= 500 ? 'server_error' : 'invalid_request_error');
  return { error: { message: error.message, type, param: null, code: error.error } };
}

export const OPENAI_OVERLOADED: WireError = {
  status: 503,
  error: 'server_is_overloaded',
  message: 'The engine is currently overloaded, please try again later',
};

export const openAiOverflow = (tokens: number, window: number): WireError => ({
  status: 400,
  error: 'context_length_exceeded',
  message: `This model's maximum context length is ${window} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`,
});

/** OpenAI Chat Completions, the protocol of nearly every other endpoint, too. */
export const openAiChat: WireFormat = {
  path: '/chat/completions',
  read: (body) => ({
    model: stringIn(body['model']),
    isStream: body['stream'] === true,
    messages: objectListIn(body['messages']).map(readMessage),
    tools: objectListIn(body['tools']).map((tool) => {
      const spec = objectIn(tool['function']);
      return {
        name: stringIn(spec['name']),
        description: stringIn(spec['description']),
        parameters: objectIn(spec['parameters']),
      };
    }),
  }),
  replyBody: (answer, context) => ({
    ...head(answer, context, 'chat.completion'),
    choices: [{ index: 0, message: message(answer), logprobs: null, finish_reason: finishReason(answer) }],
    usage: usage(answer.usage),
  }),
  replyEvents,
  errorBody: openAiError,
  errorEvent: (error) => ({ data: openAiError(error) }),
  overloaded: OPENAI_OVERLOADED,
  overflow: openAiOverflow,
};

function readMessage(message: JsonObject): SeenMessage {
  const content = contentText(message['content']);
  switch (message['role']) {
    case 'system':
    case 'developer':
      return { role: 'system', content };
    case 'tool':
      return { role: 'tool', content, toolCallId: stringIn(message['tool_call_id']) };
    case 'assistant': {
      const toolCalls = objectListIn(message['tool_calls']).map((call) => {
        const called = objectIn(call['function']);
        return {
          id: stringIn(call['id']),
          name: stringIn(called['name']),
          arguments: argumentsValue(called['arguments']),
        };
      });
      return { role: 'assistant', content, ...(toolCalls.length === 0 ? {} : { toolCalls }) };
    }
    default:
      return { role: 'user', content };
  }
}

function replyEvents(answer: ScriptedAnswer, context: WireContext): readonly WireEvent[] {
  const chunk = head(answer, context, 'chat.completion.chunk');
  const delta = (fields: JsonObject, finish: string | null = null): WireEvent => ({
    data: { ...chunk, choices: [{ index: 0, delta: fields, logprobs: null, finish_reason: finish }] },
  });
  const size = answer.chunk ?? DEFAULT_CHUNK;
  const wantsUsage = objectIn(context.body['stream_options'])['include_usage'] === true;
  return [
    delta({ role: 'assistant', content: '' }),
    ...pieces(answer.think, size).map((piece) => delta({ reasoning_content: piece })),
    ...pieces(answer.text, size).map((content) => delta({ content })),
    ...answer.calls.flatMap((call, index) => callDeltas(call, index, size).map((fields) => delta(fields))),
    delta({}, finishReason(answer)),
    ...(wantsUsage ? [{ data: { ...chunk, choices: [], usage: usage(answer.usage) } }] : []),
    { data: '[DONE]' },
  ];
}

function callDeltas(call: ScriptedCall, index: number, size: number): readonly JsonObject[] {
  const opening = { index, id: call.id, type: 'function', function: { name: call.name, arguments: '' } };
  const rest = pieces(argumentsText(call), size).map((piece) => ({ index, function: { arguments: piece } }));
  return [opening, ...rest].map((delta) => ({ tool_calls: [delta] }));
}

function head(answer: ScriptedAnswer, context: WireContext, object: string): JsonObject {
  return {
    id: `chatcmpl-${answer.id}`,
    object,
    created: context.createdAt,
    model: context.request.model,
    system_fingerprint: null,
  };
}

function message(answer: ScriptedAnswer): JsonObject {
  const calls = answer.calls.map((call) => ({
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: argumentsText(call) },
  }));
  const content = answer.text === '' && calls.length > 0 ? null : answer.text;
  return {
    role: 'assistant',
    content,
    refusal: null,
    ...(answer.think === '' ? {} : { reasoning_content: answer.think }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

function finishReason(answer: ScriptedAnswer): string {
  if (answer.finish === 'length') return 'length';
  if (answer.finish === 'filtered') return 'content_filter';
  return answer.calls.length > 0 ? 'tool_calls' : 'stop';
}

function usage(usage: ScriptedUsage): JsonObject {
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cacheRead },
    completion_tokens_details: { reasoning_tokens: 0 },
  };
}
