import { isJsonObject, type Json } from '../../core/json.ts';
import { plainText } from '../../protocol/plain-text.ts';

/** Lines of one text that are shown. */
const MOST_LINES = 8;

/** A value for people: a line for each key, texts as they are, and long ones cut. Programs read JSON instead. */
export function valueText(value: Json): string {
  return linesOf(value).join('\n');
}

function linesOf(value: Json): readonly string[] {
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap((item) => named('-', item, ' '));
  if (isJsonObject(value))
    return Object.entries(value).flatMap(([name, item]) => named(`${plainText(name)}:`, item, '\n'));
  return typeof value === 'string' ? textLines(value) : [JSON.stringify(value)];
}

/** `first`: whether the first line of a value with several stands beside its name or below it. */
function named(name: string, value: Json, first: ' ' | '\n'): readonly string[] {
  const lines = linesOf(value);
  const [only = '', ...rest] = lines;
  if (lines.length === 0) return [`${name} none`];
  if (rest.length === 0 && !isFilled(value)) return [`${name} ${only}`];
  const below = (line: string): string => `  ${line}`;
  return first === ' ' ? [`${name} ${only}`, ...rest.map(below)] : [name, ...lines.map(below)];
}

const isFilled = (value: Json): boolean => typeof value === 'object' && value !== null;

function textLines(text: string): readonly string[] {
  const lines = plainText(text).trimEnd().split('\n');
  if (lines.length <= MOST_LINES) return lines;
  return [...lines.slice(0, MOST_LINES), `… and ${lines.length - MOST_LINES} more lines`];
}
