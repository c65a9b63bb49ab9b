import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import { mapValues } from '../../core/map-values.ts';
import { plainText } from '../../protocol/plain-text.ts';

/** Lines of one text that are shown. */
const MOST_LINES = 8;

/** Lines of a whole value that are shown. */
const MOST_IN_ALL = 24;

/** The output of a run for people: a text as it is, anything else as its first lines. Programs read JSON instead. */
export function outputText(output: Json, run: string): string {
  if (typeof output === 'string') return plainText(output);
  const lines = valueText(isJsonObject(output) ? shortFirst(output) : output).split('\n');
  if (lines.length <= MOST_IN_ALL) return lines.join('\n');
  return [...lines.slice(0, MOST_IN_ALL), `… all of it: troupe show ${run} --json`].join('\n');
}

/** Lists and records may be long, and what is cut is the end. */
const shortFirst = (value: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(value).toSorted(([, one], [, other]) => Number(isFilled(one)) - Number(isFilled(other))),
  );

/** A line for each key, long texts cut; of records inside records only the names. */
export function valueText(value: Json): string {
  return linesOf(isJsonObject(value) ? mapValues(withoutNulls(value), shortened) : value).join('\n');
}

const withoutNulls = (value: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([, item]) => item !== null));

const shortened = (value: Json): Json =>
  isJsonObject(value) && Object.values(value).some(isJsonObject) ? Object.keys(value).join(', ') : value;

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
