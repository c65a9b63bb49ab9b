import { isJsonObject, type Json, jsonText } from '../core/model/json.ts';
import type { ToolCall } from '../core/model/message.ts';

/** `write_file src/a.ts`: a tool call in a line, in the terminal and on the page. */
export const toolText = ({ name, arguments: given }: Pick<ToolCall, 'name' | 'arguments'>, longest?: number): string =>
  shortLine(`${name} ${toolTarget(given)}`, longest);

/** A tool call in one line: its file, its command, or its first text argument. */
export function toolTarget(given: Json): string {
  const file = calledFile(given);
  if (file !== null) return shortLine(file);
  if (!isJsonObject(given)) return shortLine(jsonText(given));
  const named = NAMES.find((name) => typeof given[name] === 'string' && given[name] !== '');
  const first = named === undefined ? Object.values(given).find((value) => typeof value === 'string') : given[named];
  return shortLine(jsonText(first ?? null));
}

/** The file that a tool call is about, by what tools call their argument for it; null where it names none. */
export function calledFile(given: Json | undefined): string | null {
  if (given === undefined || !isJsonObject(given)) return null;
  const found = FILE_NAMES.map((name) => given[name]).find((value) => typeof value === 'string' && value !== '');
  return typeof found === 'string' ? found : null;
}

const FILE_NAMES = ['path', 'file', 'file_path', 'filePath', 'filename', 'notebook_path'];

/** By what tools call what they are about, besides files. */
const NAMES = ['command', 'cmd', 'pattern', 'query', 'url', 'name', 'signal', 'verdict', 'prompt', 'description'];

const LONGEST = 160;

/** Shortens a text that may be very long. Invisible characters stay: the page shows them, the terminal removes them. */
export function shortLine(text: string, longest = LONGEST): string {
  const line = text
    .slice(0, longest * 4)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return line.length > longest ? `${line.slice(0, longest - 1).trimEnd()}…` : line;
}
