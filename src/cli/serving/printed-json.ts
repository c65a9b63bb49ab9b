import { Fault } from '../../core/fault.ts';
import type { Json } from '../../core/json.ts';

/** What a command printed with `--json`: one value, or a list where it printed a value a line; null for nothing. */
export function printedJson(text: string): Json {
  const lines = text.split('\n').filter((line) => line !== '');
  const [only, another] = lines;
  if (only === undefined) return null;
  try {
    return another === undefined ? (JSON.parse(only) as Json) : manyIn(text, lines);
  } catch (error) {
    throw new Fault('INTERNAL', 'A command printed what is no JSON.', { cause: error });
  }
}

/** A value over many lines, or many values. */
function manyIn(text: string, lines: readonly string[]): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return lines.map((line) => JSON.parse(line) as Json);
  }
}
