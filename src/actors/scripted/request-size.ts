import type { ModelMessage } from 'ai';
import type { ToolSpec } from '../../core/role.ts';
import type { SeenMessage } from '../../core/view.ts';
import { promptFor } from '../model/prompt.ts';
import type { CallRequest } from '../port.ts';

/** Characters of a whole request: instructions, conversation, calls and tools, as an endpoint would count them. */
export function requestSize(messages: readonly SeenMessage[], tools: readonly ToolSpec[]): number {
  const sizes = messages.flatMap(({ content, toolCalls = [] }) => [
    content.length,
    ...toolCalls.map((call) => callSize(call.name, call.arguments)),
  ]);
  return total(sizes) + toolsSize(tools);
}

/** The same of a request that stays in this process: of the messages that `openai-compatible` endpoints would get. */
export function unsentSize(request: CallRequest, model: string): number {
  const { system, messages } = promptFor(request, { provider: 'openai-compatible', model });
  return total([...system, ...messages].map(messageSize)) + toolsSize(request.tools);
}

type Part = Exclude<ModelMessage['content'], string>[number];

const messageSize = ({ content }: ModelMessage): number =>
  typeof content === 'string' ? content.length : total(content.map(partSize));

function partSize(part: Part): number {
  if (part.type === 'text') return part.text.length;
  if (part.type === 'tool-call') return callSize(part.toolName, part.input);
  const output = part.type === 'tool-result' ? part.output : null;
  return output?.type === 'text' || output?.type === 'error-text' ? output.value.length : 0;
}

const callSize = (name: string, given: unknown): number => name.length + JSON.stringify(given).length;

const toolsSize = (tools: readonly ToolSpec[]): number =>
  total(tools.map(({ name, description, parameters }) => description.length + callSize(name, parameters)));

const total = (sizes: readonly number[]): number => sizes.reduce((sum, size) => sum + size, 0);
