import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';

/** A piece of a request in the order in which a provider reads it: tools, system, messages. */
export interface RequestBlock {
  readonly section: 'tools' | 'system' | 'messages';
  /** The tool's name, or the side that speaks. */
  readonly name: string;
  /** The vendor's word for it: `text`, `tool_use`, `tool_result`, … */
  readonly kind: string;
  /** All of it as it left, without its cache mark. */
  readonly part: JsonObject;
  /** The same on one line. */
  readonly text: string;
  readonly isMarked: boolean;
  readonly tokens: number;
}

/** UTF-8 bytes divided by three: too many for prose, about right for code and tool output. Used for ratios and bars, not for bills. */
export const estimateTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / BYTES_A_TOKEN);

const BYTES_A_TOKEN = 3;

/** Reads the body of a request in any of the three wire formats. */
export function requestBlocks(body: JsonObject): readonly RequestBlock[] {
  const tools = listOf(body['tools']).map((tool) => block('tools', toolName(tool), tool));
  const system = systemOf(body['system']);
  const spoken = listOf(body['messages'] ?? body['input']).flatMap(messageBlocks);
  return [...tools, ...system, ...spoken];
}

const listOf = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? (value as readonly Json[]).filter(isJsonObject) : [];

function toolName(tool: JsonObject): string {
  const named = isJsonObject(tool['function'] ?? null) ? (tool['function'] as JsonObject) : tool;
  return textOr(named['name'], '');
}

function systemOf(system: Json | undefined): readonly RequestBlock[] {
  if (typeof system === 'string') return [block('system', 'system', { type: 'text', text: system })];
  return listOf(system).map((part) => block('system', 'system', part));
}

const SYSTEM_ROLES: ReadonlySet<Json | undefined> = new Set(['system', 'developer']);

function messageBlocks(message: JsonObject): readonly RequestBlock[] {
  const { role, content, tool_calls: calls, ...rest } = message;
  const section = SYSTEM_ROLES.has(role) ? 'system' : 'messages';
  const name = textOr(role, textOr(message['type'], ''));
  // An item of its own, as calls and results are in the Responses format.
  if (role === undefined) return [block(section, name, message)];
  if (role === 'tool') return [block(section, name, { type: 'tool_result', content: content ?? null, ...rest })];
  const parts = typeof content === 'string' ? [{ type: 'text', text: content, ...rest }] : listOf(content);
  const spoken = parts.filter((part) => part['text'] !== '' || 'cache_control' in part);
  const called = listOf(calls).map((call) => ({ ...call, type: 'tool_use' }));
  return [...spoken, ...called].map((part) => block(section, name, part));
}

function block(section: RequestBlock['section'], name: string, given: JsonObject): RequestBlock {
  const { cache_control: mark, ...rest } = given;
  const text = `${name} ${JSON.stringify(rest)}`;
  const kind = section === 'tools' ? 'tool' : textOr(given['type'], 'text');
  return { section, name, kind, part: rest, text, isMarked: mark !== undefined, tokens: estimateTokens(text) };
}

const textOr = (value: Json | undefined, otherwise: string): string => (typeof value === 'string' ? value : otherwise);
