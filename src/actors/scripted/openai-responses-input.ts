import type { Json, JsonObject } from '../../core/json.ts';
import type { SeenMessage } from '../../core/view.ts';
import { argumentsValue, contentText, objectOr, wireObjects, wireText } from './wire-content.ts';
import type { WireTool } from './wire-format.ts';

/** The flat list of items of a Responses request, read as a conversation. */
export function readResponsesInput(body: JsonObject): readonly SeenMessage[] {
  const instructions = wireText(body['instructions']);
  const messages: SeenMessage[] = instructions === '' ? [] : [{ role: 'system', content: instructions }];
  const input = body['input'];
  if (typeof input === 'string') return [...messages, { role: 'user', content: input }];
  for (const item of wireObjects(input)) addItem(messages, item);
  return messages;
}

/** Function tools, also those inside a namespace. The rest runs at the vendor's and cannot be called by a script. */
export function readTools(tools: Json | undefined, namespace?: string): readonly WireTool[] {
  return wireObjects(tools).flatMap((tool): readonly WireTool[] => {
    const name = wireText(tool['name']);
    if (tool['type'] === 'namespace') return readTools(tool['tools'], name);
    if (tool['type'] !== 'function' && tool['type'] !== 'custom') return [];
    const spec = { name, description: wireText(tool['description']), parameters: objectOr(tool['parameters']) };
    return [namespace === undefined ? spec : { ...spec, namespace }];
  });
}

function addItem(messages: SeenMessage[], item: JsonObject): void {
  const type = item['type'] ?? 'message';
  if (type === 'message') addMessage(messages, readMessage(item));
  else if (type === 'function_call' || type === 'custom_tool_call') addCall(messages, item);
  else if (type === 'function_call_output' || type === 'custom_tool_call_output') messages.push(readOutput(item));
}

/** Instructions that come in several messages are one text, as on the other wires. */
function addMessage(messages: SeenMessage[], message: SeenMessage): void {
  const last = messages.at(-1);
  if (last?.role !== 'system' || message.role !== 'system') messages.push(message);
  else messages.splice(-1, 1, { ...last, content: `${last.content}\n\n${message.content}` });
}

function readMessage(item: JsonObject): SeenMessage {
  const content = contentText(item['content']);
  const role = item['role'];
  if (role === 'assistant' || role === 'user') return { role, content };
  return { role: 'system', content };
}

/** Calls stand beside the message they belong to, each an item of its own. */
function addCall(messages: SeenMessage[], item: JsonObject): void {
  const value = argumentsValue(item['arguments'] ?? item['input']);
  const call = { id: wireText(item['call_id']), name: wireText(item['name']), arguments: value };
  const last = messages.at(-1);
  if (last?.role !== 'assistant') messages.push({ role: 'assistant', content: '', toolCalls: [call] });
  else messages.splice(-1, 1, { ...last, toolCalls: [...(last.toolCalls ?? []), call] });
}

function readOutput(item: JsonObject): SeenMessage {
  return { role: 'tool', content: contentText(item['output']), toolCallId: wireText(item['call_id']) };
}
