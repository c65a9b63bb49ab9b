import type { JsonObject } from '../../core/json.ts';
import type { SeenMessage } from '../../core/view.ts';
import { OPENAI_OVERLOADED, openAiError, openAiOverflow } from './openai-error.ts';
import { pieces } from './pieces.ts';
import type { ScriptedUsage } from './rule.ts';
import { argumentsText, type ScriptedAnswer, type ScriptedCall } from './scripted-answer.ts';
import { argumentsValue, contentText, objectOr, wireObjects, wireText } from './wire-content.ts';
import { DEFAULT_CHUNK, type WireContext, type WireEvent, type WireFormat } from './wire-format.ts';

/** OpenAI Chat Completions: what nearly every other endpoint speaks too. */
export const openAiChat: WireFormat = {
  path: '/chat/completions',
  read: (body) => ({
    model: wireText(body['model']),
    isStream: body['stream'] === true,
    messages: wireObjects(body['messages']).map(readMessage),
    tools: wireObjects(body['tools']).map((tool) => {
      const spec = objectOr(tool['function']);
      return {
        name: wireText(spec['name']),
        description: wireText(spec['description']),
        parameters: objectOr(spec['parameters']),
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
      return { role: 'tool', content, toolCallId: wireText(message['tool_call_id']) };
    case 'assistant': {
      const toolCalls = wireObjects(message['tool_calls']).map((call) => {
        const called = objectOr(call['function']);
        return {
          id: wireText(call['id']),
          name: wireText(called['name']),
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
  const wantsUsage = objectOr(context.body['stream_options'])['include_usage'] === true;
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
