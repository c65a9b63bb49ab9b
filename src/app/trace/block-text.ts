import type { RequestBlock } from '../../actors/model/prefix-cache.ts';
import { isJsonObject, type Json, type JsonObject, jsonText } from '../../core/model/json.ts';
import type { CallRequest } from '../../actors/port.ts';
import type { JournalRecord } from '../../core/record/fact.ts';
import type { Message } from '../../core/model/message.ts';
import { sourceOf } from '../../core/look/view.ts';
import type { Tool } from '../../tools/port.ts';
import type { TracedCall } from './traced-calls.ts';

/** A JSON Schema on one line: `{path: string "Relative to the project", limit?: integer minimum=1}`. */
function toolSchemaText(schema: Json | undefined): string {
  if (!isJsonObject(schema ?? null)) return schema === undefined ? 'any' : JSON.stringify(schema);
  const { description, ...rest } = schema as JsonObject;
  const described = typeof description === 'string' && description !== '' ? ` ${JSON.stringify(description)}` : '';
  return `${shapeText(rest)}${described}`;
}

function shapeText(schema: JsonObject): string {
  const { type, properties, required, items, enum: values, additionalProperties, anyOf, ...rest } = schema;
  const more = Object.entries(rest).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`);
  // What tools usually say needs no word; the rest does.
  if (additionalProperties !== undefined && additionalProperties !== false) {
    more.push(` others: ${toolSchemaText(additionalProperties)}`);
  }
  return `${coreText({ type, properties, required, items, values, anyOf })}${more.join('')}`;
}

type Core = Readonly<Record<'type' | 'properties' | 'required' | 'items' | 'values' | 'anyOf', Json | undefined>>;

function coreText({ type, properties, required, items, values, anyOf }: Core): string {
  if (Array.isArray(values)) return values.map((value: Json) => JSON.stringify(value)).join('|');
  if (Array.isArray(anyOf)) return anyOf.map((one: Json) => toolSchemaText(one)).join(' or ');
  const types = Array.isArray(type) ? type.join('|') : typeof type === 'string' ? type : 'any';
  if (isJsonObject(properties ?? null)) return withNull(types, fieldsText(properties as JsonObject, required));
  return items === undefined ? types : withNull(types, `[${toolSchemaText(items)}]`);
}

const withNull = (types: string, text: string): string => (types.includes('null') ? `${text} or null` : text);

function fieldsText(properties: JsonObject, required: Json | undefined): string {
  const needed = new Set(Array.isArray(required) ? (required as readonly Json[]) : []);
  const fields = Object.entries(properties).map(
    ([name, schema]) => `${name}${needed.has(name) ? '' : '?'}: ${toolSchemaText(schema)}`,
  );
  return `{${fields.join(', ')}}`;
}

/** A block as people read it: text as text, calls and results with an arrow, a tool on one line with its schema. */
export function blockText({ section, kind, name, part }: RequestBlock, tools: ToolNames): string {
  if (section === 'tools') return toolText(name, part);
  const text = KINDS[kind]?.(part, tools);
  return text ?? JSON.stringify(part);
}

/** The tool that each call of a request is for, by the id of the call: results name only the id. */
export type ToolNames = ReadonlyMap<string, string>;

export function toolNames(blocks: readonly RequestBlock[]): ToolNames {
  return new Map(
    blocks.flatMap(({ part }): readonly (readonly [string, string])[] => {
      const chat = part['function'] ?? null;
      const id = part['call_id'] ?? part['id'];
      const name = isJsonObject(chat) ? chat['name'] : part['name'];
      return typeof id === 'string' && typeof name === 'string' ? [[id, name]] : [];
    }),
  );
}

/** The tool that a block calls, or gives the result of. */
export function toolOf({ section, part }: RequestBlock, tools: ToolNames): readonly string[] {
  const id = part['tool_use_id'] ?? part['tool_call_id'] ?? part['call_id'] ?? part['id'];
  const name = section === 'messages' && typeof id === 'string' ? tools.get(id) : undefined;
  return name === undefined ? [] : [name];
}

const KINDS: Readonly<Record<string, (part: JsonObject, tools: ToolNames) => string>> = {
  text: ({ text }) => jsonText(text),
  input_text: ({ text }) => jsonText(text),
  output_text: ({ text }) => jsonText(text),
  thinking: ({ thinking }) => `(thinking) ${jsonText(thinking)}`,
  tool_use: ({ function: chat = null, name, input }) =>
    isJsonObject(chat) ? callText(chat['name'], chat['arguments']) : callText(name, input),
  function_call: ({ name, arguments: given }) => callText(name, given),
  tool_result: ({ content, text, is_error: isError, tool_use_id: id, tool_call_id: chatId }, tools) =>
    `← ${toolWord(id ?? chatId, tools)}${isError === true ? '(error) ' : ''}${contentText(content ?? text)}`,
  function_call_output: ({ output, call_id: id }, tools) => `← ${toolWord(id, tools)}${contentText(output)}`,
};

function toolWord(id: Json | undefined, tools: ToolNames): string {
  const name = tools.get(jsonText(id));
  return name === undefined ? '' : `${name}: `;
}

function toolText(name: string, part: JsonObject): string {
  const tool = isJsonObject(part['function'] ?? null) ? (part['function'] as JsonObject) : part;
  const schema = tool['input_schema'] ?? tool['parameters'];
  return `\`${name}\` ${jsonText(tool['description'])}\n  ${toolSchemaText(schema)}`;
}

function callText(name: Json | undefined, given: Json | undefined): string {
  return `→ ${jsonText(name)} ${typeof given === 'string' ? given : JSON.stringify(given ?? {})}`;
}

/** The text of a list of parts, or of one. */
function contentText(content: Json | undefined): string {
  if (!Array.isArray(content)) return jsonText(content);
  return (content as readonly Json[])
    .map((part) => (isJsonObject(part) ? jsonText(part['text']) : jsonText(part)))
    .join('\n');
}

/**
 * Says where blocks come from: a role, the shared text, or the records of the journal that hold their text. Blocks are asked
 * for in their order, because messages stand in them in the order of the request.
 */
export class BlockOrigins {
  readonly #request: CallRequest;
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #calls = new Map<string, number>();
  readonly #results = new Map<string, number>();
  /** The texts that are still to come. */
  #texts: readonly OriginText[];

  constructor({ records, announced, messages }: TracedCall, request: CallRequest, tools: readonly Tool[]) {
    this.#request = request;
    this.#tools = new Map(tools.map((tool) => [tool.spec.name, tool]));
    this.#texts = request.messages.flatMap((seen): readonly OriginText[] => {
      const source = sourceOf(seen);
      const record = source === undefined ? undefined : messages.of(source);
      const text = seen.content.trim();
      if (text === '' || seen.role === 'tool') return [];
      const isOwn = seen.role === 'assistant';
      return [{ text, origin: source && record ? originText(source, record) : ENGINE, isOwn }];
    });
    for (const { seq, fact } of records) {
      if (seq > announced.seq) break;
      if (fact.kind === 'call.answered') for (const { id } of fact.message.toolCalls ?? []) this.#calls.set(id, seq);
      if (fact.kind === 'tool.finished') this.#results.set(fact.toolCall, seq);
    }
  }

  of(block: RequestBlock): string {
    if (block.section === 'tools') return this.#ofTool(block.name);
    if (block.section === 'system') return this.#ofSystem(block);
    const { part } = block;
    const result = this.#results.get(idOf(part['tool_use_id'] ?? part['call_id'] ?? part['tool_call_id']));
    if (block.kind.endsWith('result') || block.kind.endsWith('output')) return recordText(result);
    const call = this.#calls.get(idOf(part['id'] ?? part['call_id']));
    return call === undefined ? this.#ofText(block) : recordText(call);
  }

  #ofTool(name: string): string {
    if (this.#request.role.parsingTools.some((tool) => tool.name === name)) return `role ${this.#request.role.name}`;
    return TOOL_ORIGINS[this.#tools.get(name)?.origin ?? 'troupe'];
  }

  #ofSystem(block: RequestBlock): string {
    const { role } = this.#request;
    const at = role.systemMessage === '' ? -1 : idOf(block.part['text']).indexOf(role.systemMessage);
    return at === -1 ? 'shared' : at === 0 ? `role ${role.name}` : `shared, then role ${role.name}`;
  }

  /** A block holds the next of the texts, or several of them where the wire format joins them. */
  #ofText({ part, name }: RequestBlock): string {
    let left = idOf(part['text']);
    const found = new Set<string>();
    for (;;) {
      const at = this.#texts.findIndex(({ text, isOwn }) => isOwn === (name === 'assistant') && left.includes(text));
      const next = this.#texts[at];
      if (next === undefined) break;
      found.add(next.origin);
      left = left.slice(left.indexOf(next.text) + next.text.length);
      this.#texts = this.#texts.slice(at + 1);
    }
    found.delete(ENGINE);
    return found.size === 0 ? ENGINE : [...found].join(', ');
  }
}

interface OriginText {
  readonly text: string;
  readonly origin: string;
  /** The agent said it itself. */
  readonly isOwn: boolean;
}

const ENGINE = 'engine';

const TOOL_ORIGINS: Readonly<Record<NonNullable<Tool['origin']> | 'troupe', string>> = {
  troupe: 'built in',
  mcp: 'MCP server',
  project: 'project',
};

const recordText = (seq: number | undefined): string => (seq === undefined ? ENGINE : `record ${seq}`);

const idOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

function originText({ author, to }: Message, { seq, fact }: JournalRecord): string {
  const by = fact.kind === 'message.added' ? fact.by : undefined;
  const order = `order${to === undefined ? '' : ` to ${to}`}`;
  const engine = fact.kind === 'turn.compacted' ? 'summary' : ENGINE;
  const said = author === 'workflow' ? order : author === 'troupe' ? engine : author;
  return `${by ?? said} (record ${seq})`;
}
