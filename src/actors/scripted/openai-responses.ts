import type { Json, JsonObject } from '../../core/model/json.ts';
import type { SeenMessage } from '../../core/look/view.ts';
import { objectIn, objectListIn, stringIn } from '../read-json.ts';
import { OPENAI_OVERLOADED, openAiError, openAiOverflow } from './openai-chat.ts';
import {
  argumentsValue,
  contentText,
  DEFAULT_CHUNK,
  pieces,
  type WireContext,
  type WireEvent,
  type WireFormat,
  type WireRequest,
  type WireTool,
} from './wire-format.ts';
import { argumentsText, type ScriptedAnswer, type ScriptedCall, type ScriptedUsage } from './rule.ts';

/** The flat list of items of a Responses request, read as a conversation. */
function readResponsesInput(body: JsonObject): readonly SeenMessage[] {
  const instructions = stringIn(body['instructions']);
  const messages: SeenMessage[] = instructions === '' ? [] : [{ role: 'system', content: instructions }];
  const input = body['input'];
  if (typeof input === 'string') return [...messages, { role: 'user', content: input }];
  for (const item of objectListIn(input)) addItem(messages, item);
  return messages;
}

/** Function tools, also those inside a namespace. The rest runs at the vendor's and cannot be called by a script. */
function readTools(tools: Json | undefined, namespace?: string): readonly WireTool[] {
  return objectListIn(tools).flatMap((tool): readonly WireTool[] => {
    const name = stringIn(tool['name']);
    if (tool['type'] === 'namespace') return readTools(tool['tools'], name);
    if (tool['type'] !== 'function' && tool['type'] !== 'custom') return [];
    const spec = { name, description: stringIn(tool['description']), parameters: objectIn(tool['parameters']) };
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

/** Calls are separate items next to their message. */
function addCall(messages: SeenMessage[], item: JsonObject): void {
  const value = argumentsValue(item['arguments'] ?? item['input']);
  const call = { id: stringIn(item['call_id']), name: stringIn(item['name']), arguments: value };
  const last = messages.at(-1);
  if (last?.role !== 'assistant') messages.push({ role: 'assistant', content: '', toolCalls: [call] });
  else messages.splice(-1, 1, { ...last, toolCalls: [...(last.toolCalls ?? []), call] });
}

function readOutput(item: JsonObject): SeenMessage {
  return { role: 'tool', content: contentText(item['output']), toolCallId: stringIn(item['call_id']) };
}

/** OpenAI Responses, the protocol of OpenAI's own models and Codex. */
export const openAiResponses: WireFormat = {
  path: '/responses',
  read: (body) => ({
    model: stringIn(body['model']),
    isStream: body['stream'] === true,
    messages: readResponsesInput(body),
    tools: readTools(body['tools']),
  }),
  replyBody: finished,
  replyEvents,
  errorBody: openAiError,
  errorEvent: (error, context) => {
    const code = error.error ?? 'server_error';
    const response = { ...snapshot('error', context, []), status: 'failed', error: { code, message: error.message } };
    return { event: 'response.failed', data: { type: 'response.failed', sequence_number: 1, response } };
  },
  overloaded: OPENAI_OVERLOADED,
  overflow: openAiOverflow,
};

function replyEvents(answer: ScriptedAnswer, context: WireContext): readonly WireEvent[] {
  const started = snapshot(answer.id, context, []);
  const size = answer.chunk ?? DEFAULT_CHUNK;
  const last = answer.finish === 'done' ? 'response.completed' : 'response.incomplete';
  const events: readonly Numberless[] = [
    { type: 'response.created', response: started },
    { type: 'response.in_progress', response: started },
    ...items(answer, context.request).flatMap((item, index) => itemEvents(item, index, size)),
    { type: last, response: finished(answer, context) },
  ];
  return events.map(({ type, ...rest }, index) => ({ event: type, data: { type, sequence_number: index, ...rest } }));
}

interface Numberless extends JsonObject {
  readonly type: string;
}

/** A message, a function call or some reasoning, whole. */
interface Item extends JsonObject {
  readonly id: string;
  readonly type: string;
}

function items(answer: ScriptedAnswer, request: WireRequest): readonly Item[] {
  const status = answer.finish === 'done' ? 'completed' : 'incomplete';
  const content = [{ type: 'output_text', text: answer.text, annotations: [], logprobs: [] }];
  const message: Item = { id: `msg_${answer.id}`, type: 'message', status, role: 'assistant', content };
  const calls = answer.calls.map((call) => callItem(call, request));
  return [...(answer.think === '' ? [] : [reasoning(answer)]), ...(answer.text === '' ? [] : [message]), ...calls];
}

function reasoning(answer: ScriptedAnswer): Item {
  const summary = [{ type: 'summary_text', text: answer.think }];
  return { id: `rs_${answer.id}`, type: 'reasoning', summary, encrypted_content: `sealed-${answer.id}` };
}

function callItem(call: ScriptedCall, request: WireRequest): Item {
  const namespace = request.tools.find((tool) => tool.name === call.name)?.namespace;
  return {
    id: `fc_${call.id}`,
    type: 'function_call',
    status: 'completed',
    call_id: call.id,
    name: call.name,
    ...(namespace === undefined ? {} : { namespace }),
    arguments: argumentsText(call),
  };
}

function itemEvents(item: Item, index: number, size: number): readonly Numberless[] {
  const place = { item_id: item.id, output_index: index };
  const { opened, between } = stages(item, place, size);
  return [
    { type: 'response.output_item.added', output_index: index, item: { ...item, ...opened } },
    ...between,
    { type: 'response.output_item.done', output_index: index, item },
  ];
}

/** How an item looks when it is announced, and what comes between that and its end. */
function stages(item: Item, place: JsonObject, size: number): { opened: JsonObject; between: readonly Numberless[] } {
  switch (item.type) {
    case 'message':
      return { opened: { status: 'in_progress', content: [] }, between: textEvents(item, place, size) };
    case 'reasoning':
      return { opened: { summary: [], encrypted_content: '' }, between: summaryEvents(item, place, size) };
    default:
      return { opened: { status: 'in_progress', arguments: '' }, between: argumentEvents(item, place, size) };
  }
}

function textEvents(item: Item, place: JsonObject, size: number): readonly Numberless[] {
  const part = (item['content'] as readonly JsonObject[])[0] ?? {};
  const said = stringIn(part['text']);
  const where = { ...place, content_index: 0 };
  return [
    { type: 'response.content_part.added', ...where, part: { ...part, text: '' } },
    ...pieces(said, size).map((delta) => ({ type: 'response.output_text.delta', ...where, delta, logprobs: [] })),
    { type: 'response.output_text.done', ...where, text: said, logprobs: [] },
    { type: 'response.content_part.done', ...where, part },
  ];
}

function summaryEvents(item: Item, place: JsonObject, size: number): readonly Numberless[] {
  const part = (item['summary'] as readonly JsonObject[])[0] ?? {};
  const whole = stringIn(part['text']);
  const where = { ...place, summary_index: 0 };
  const type = 'response.reasoning_summary';
  return [
    { type: `${type}_part.added`, ...where, part: { ...part, text: '' } },
    ...pieces(whole, size).map((delta) => ({ type: `${type}_text.delta`, ...where, delta })),
    { type: `${type}_text.done`, ...where, text: whole },
    { type: `${type}_part.done`, ...where, part },
  ];
}

function argumentEvents(item: Item, place: JsonObject, size: number): readonly Numberless[] {
  const whole = stringIn(item['arguments']);
  const type = 'response.function_call_arguments';
  return [
    ...pieces(whole, size).map((delta) => ({ type: `${type}.delta`, ...place, delta })),
    { type: `${type}.done`, ...place, name: item['name'] ?? '', arguments: whole },
  ];
}

function finished(answer: ScriptedAnswer, context: WireContext): JsonObject {
  const output = items(answer, context.request);
  const reason = answer.finish === 'length' ? 'max_output_tokens' : 'content_filter';
  const isDone = answer.finish === 'done';
  return {
    ...snapshot(answer.id, context, output),
    status: isDone ? 'completed' : 'incomplete',
    incomplete_details: isDone ? null : { reason },
    usage: usage(answer.usage),
  };
}

/** The response object, which every milestone of the stream carries whole. */
function snapshot(id: string, context: WireContext, output: readonly Json[]): JsonObject {
  return {
    id: `resp_${id}`,
    object: 'response',
    created_at: context.createdAt,
    status: 'in_progress',
    background: false,
    error: null,
    incomplete_details: null,
    instructions: context.body['instructions'] ?? null,
    max_output_tokens: context.body['max_output_tokens'] ?? null,
    model: context.request.model,
    output,
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null },
    store: context.body['store'] ?? true,
    text: { format: { type: 'text' } },
    tool_choice: context.body['tool_choice'] ?? 'auto',
    tools: context.body['tools'] ?? [],
    usage: null,
    metadata: {},
  };
}

function usage(usage: ScriptedUsage): JsonObject {
  return {
    input_tokens: usage.input,
    input_tokens_details: { cached_tokens: usage.cacheRead },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: usage.input + usage.output,
  };
}
