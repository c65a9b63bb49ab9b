import { isJsonObject, type Json } from '../../src/core/json.ts';
import { calledFile } from '../../src/protocol/log-lines/called-file.ts';

/** What a tool call is about, in a line: its file, its command, or whatever it was first given. */
export function toolTarget(given: Json): string {
  const file = calledFile(given);
  if (file !== null) return oneLine(file);
  if (!isJsonObject(given)) return oneLine(textOf(given));
  const named = NAMES.find((name) => typeof given[name] === 'string' && given[name] !== '');
  const first = named === undefined ? Object.values(given).find((value) => typeof value === 'string') : given[named];
  return oneLine(textOf(first ?? null));
}

/** By what tools call what they are about, besides files. */
const NAMES = ['command', 'cmd', 'pattern', 'query', 'url', 'name', 'signal', 'verdict', 'prompt', 'description'];

const textOf = (value: Json): string =>
  typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value);

const LONGEST = 160;

export function oneLine(text: string, longest = LONGEST): string {
  const line = text
    .slice(0, longest * 4)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}
