import type { WorkTime } from '../../core/fold/work-clock.ts';
import { costText, durationText } from '../../core/look/amount-text.ts';
import { counted } from '../../protocol/amounts.ts';
import { outcomeText } from '../../protocol/outcome-text.ts';
import { oneLine, plainText } from '../../protocol/plain-text.ts';
import type { SettledLine } from '../../protocol/run-line.ts';
import type { Style } from './colour.ts';
import { isJsonObject, type Json, type JsonObject } from '../../core/model/json.ts';
import { mapValues } from '../../core/model/map-values.ts';

/** How a run came out, what it took and what it cost: `✓ ok after 6.2 s, $0.18, 27 calls`. */
export function verdictText(
  line: SettledLine,
  { workedMs, waitedMs }: Pick<WorkTime, 'workedMs' | 'waitedMs'>,
): { readonly text: string; readonly style: Style } {
  const { status, outcome, failure, usage, costUsd } = line;
  const calls = usage.calls === 0 ? [] : [counted(usage.calls, 'call')];
  const cost = costUsd === 0 ? [] : [costText(costUsd)];
  const waited = waitedMs < 1000 ? [] : [`waited ${durationText(waitedMs)} for a person`];
  const took = [durationText(workedMs), ...waited, ...cost, ...calls].join(', ');
  if (status !== 'settled') return { text: `${STANDING[status]} after ${took}`, style: 'yellow' };
  const why = failure === null ? '' : oneLine(outcomeText(outcome, failure).slice(outcome.length), 400);
  const colon = why === '' ? '' : `: ${why.replace(/^[,:] /, '')}`;
  return {
    text: `${outcome === 'ok' ? '✓' : '✗'} ${outcome} after ${took}${colon}`,
    style: outcome === 'ok' ? 'green' : 'red',
  };
}

const STANDING: Readonly<Record<Exclude<SettledLine['status'], 'settled'>, string>> = {
  waiting: '? waiting for a person',
  paused: '‖ paused',
  running: '✗ stopped',
};

/** Next commands for a run that left no files. */
export const lookCommands = (run: string): readonly string[] => [
  `  show:  troupe show ${run}`,
  `  logs:  troupe logs ${run}`,
  `  again: troupe fork ${run} --at start`,
];

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
