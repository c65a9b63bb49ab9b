import type { RequestBlock } from '../../actors/model/request-blocks.ts';
import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import { toolSchemaText } from './schema-text.ts';

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
  text: ({ text }) => plain(text),
  input_text: ({ text }) => plain(text),
  output_text: ({ text }) => plain(text),
  thinking: ({ thinking }) => `(thinking) ${plain(thinking)}`,
  tool_use: ({ function: chat = null, name, input }) =>
    isJsonObject(chat) ? callText(chat['name'], chat['arguments']) : callText(name, input),
  function_call: ({ name, arguments: given }) => callText(name, given),
  tool_result: ({ content, text, is_error: isError, tool_use_id: id, tool_call_id: chatId }, tools) =>
    `← ${toolWord(id ?? chatId, tools)}${isError === true ? '(error) ' : ''}${contentText(content ?? text)}`,
  function_call_output: ({ output, call_id: id }, tools) => `← ${toolWord(id, tools)}${contentText(output)}`,
};

function toolWord(id: Json | undefined, tools: ToolNames): string {
  const name = tools.get(plain(id));
  return name === undefined ? '' : `${name}: `;
}

function toolText(name: string, part: JsonObject): string {
  const tool = isJsonObject(part['function'] ?? null) ? (part['function'] as JsonObject) : part;
  const schema = tool['input_schema'] ?? tool['parameters'];
  return `\`${name}\` ${plain(tool['description'])}\n  ${toolSchemaText(schema)}`;
}

function callText(name: Json | undefined, given: Json | undefined): string {
  return `→ ${plain(name)} ${typeof given === 'string' ? given : JSON.stringify(given ?? {})}`;
}

/** The text of a list of parts, or of one. */
function contentText(content: Json | undefined): string {
  if (!Array.isArray(content)) return plain(content);
  return (content as readonly Json[])
    .map((part) => (isJsonObject(part) ? plain(part['text']) : plain(part)))
    .join('\n');
}

const plain = (value: Json | undefined): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);
