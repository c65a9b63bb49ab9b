import type { LanguageModelV4Message, LanguageModelV4ToolCallPart } from '@ai-sdk/provider';
import { unreachable } from '../../../core/model/fault.ts';
import { isJsonObject, type JsonObject } from '../../../core/model/json.ts';
import type { CallRequest } from '../../port.ts';
import type { ModelConfig } from '../model-config.ts';
import { promptFor, type PromptMessage } from '../prompt.ts';

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

function chatMessages(message: LanguageModelV4Message): readonly object[] {
  switch (message.role) {
    case 'system':
      return [message];
    case 'user':
      return [{ role: 'user', content: textOf(message.content, 'text') }];
    case 'assistant':
      return [assistantMessage(message.content)];
    case 'tool':
      return message.content.flatMap((part) =>
        part.type === 'tool-result' && 'value' in part.output
          ? [{ role: 'tool', tool_call_id: part.toolCallId, content: part.output.value }]
          : [],
      );
    default:
      return unreachable(message);
  }
}

const textOf = (parts: PromptMessage<'assistant'>['content'], type: string): string =>
  parts.map((part) => (part.type === type && 'text' in part ? part.text : '')).join('');

function assistantMessage(parts: PromptMessage<'assistant'>['content']): object {
  const calls = parts.flatMap((part) => (part.type === 'tool-call' ? [chatCall(part)] : []));
  const [text, reasoning] = [textOf(parts, 'text'), textOf(parts, 'reasoning')];
  return {
    role: 'assistant',
    content: calls.length > 0 && text === '' ? null : text,
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

function chatCall({ toolCallId, toolName, input, providerOptions }: LanguageModelV4ToolCallPart): object {
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
