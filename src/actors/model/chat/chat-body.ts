import type { AssistantContent, ModelMessage } from 'ai';
import { isJsonObject, type JsonObject } from '../../../core/model/json.ts';
import type { CallRequest } from '../../port.ts';
import type { ModelConfig } from '../model-config.ts';
import { promptFor } from '../prompt.ts';

/** A request as an OpenAI-compatible endpoint takes it. No `tool_choice`: some endpoints refuse the field. */
export function chatBody(request: CallRequest, config: ModelConfig) {
  const { system, messages } = promptFor(request, config);
  return {
    model: config.model,
    max_tokens: config.maxOutputTokens,
    temperature: config.temperature,
    reasoning_effort: config.effort === 'off' ? 'none' : config.effort,
    messages: [...system, ...messages.flatMap(chatMessages)],
    tools: request.tools.length === 0 ? undefined : request.tools.map((tool) => ({ type: 'function', function: tool })),
    stream: true,
    stream_options: { include_usage: true },
  };
}

function chatMessages(message: ModelMessage): readonly object[] {
  if (message.role === 'assistant') return [assistantMessage(message.content)];
  if (message.role !== 'tool') return [message];
  return message.content.flatMap((part) =>
    part.type === 'tool-result' && 'value' in part.output
      ? [{ role: 'tool', tool_call_id: part.toolCallId, content: part.output.value }]
      : [],
  );
}

function assistantMessage(content: AssistantContent): object {
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
  const said = (type: string) => parts.map((part) => (part.type === type && 'text' in part ? part.text : '')).join('');
  const calls = parts.flatMap((part) => (part.type === 'tool-call' ? [chatCall(part)] : []));
  const [text, reasoning] = [said('text'), said('reasoning')];
  return {
    role: 'assistant',
    content: calls.length > 0 && text === '' ? null : text,
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

type CallContent = Extract<Exclude<AssistantContent, string>[number], { type: 'tool-call' }>;

function chatCall({ toolCallId, toolName, input, providerOptions }: CallContent): object {
  const signature = signatureIn(providerOptions?.[SEALED] as JsonObject | undefined);
  return {
    id: toolCallId,
    type: 'function',
    function: { name: toolName, arguments: JSON.stringify(input) },
    ...(signature === null ? {} : { extra_content: { google: { thought_signature: signature } } }),
  };
}

/** Under which name the engine keeps what an endpoint wants back with a call. */
const SEALED = 'endpoint';

/** Gemini seals the thoughts that led to a call, and refuses the call without its seal. */
export const sealed = (thoughtSignature: string): JsonObject => ({ [SEALED]: { thoughtSignature } });

function signatureIn(options: JsonObject | undefined): string | null {
  const signature = isJsonObject(options) ? options['thoughtSignature'] : undefined;
  return typeof signature === 'string' ? signature : null;
}
