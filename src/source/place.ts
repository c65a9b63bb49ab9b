import type { Position } from '../core/model/fault.ts';

/** The path from the top of a document to one of its values. */
export type SourcePath = readonly (string | number)[];

const PLAIN_KEY = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u;

/** As people write it: `states[2].transition[0].condition`. */
export function sourcePathText(path: SourcePath): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else if (!PLAIN_KEY.test(part)) text += `[${JSON.stringify(part)}]`;
    else text += text === '' ? part : `.${part}`;
  }
  return text;
}

/** Where a value stands in the text, as an offset, and where the values inside it stand. */
export interface SourcePlace {
  readonly start: number;
  readonly members?: ReadonlyMap<string, MemberPlace>;
  readonly items?: readonly SourcePlace[];
}

export interface MemberPlace {
  readonly keyStart: number;
  readonly value: SourcePlace;
}

/** Finds a value, or its key. A value that is not in the text is located at the nearest thing around it. */
export type Locate = (path: SourcePath, part?: 'key' | 'value') => Position | undefined;

/** For documents that do not come from a text. */
export const nowhere: Locate = () => undefined;

export function locatorOf(text: string, root: SourcePlace): Locate {
  let lines: readonly number[] | undefined;
  return (path, part = 'value') => {
    lines ??= lineStarts(text);
    return positionAt(lines, offsetOf(root, path, part));
  };
}

/** Line and column of an offset, both counted from 1. */
export function positionIn(text: string, offset: number): Position {
  return positionAt(lineStarts(text), offset);
}

function offsetOf(root: SourcePlace, path: SourcePath, part: 'key' | 'value'): number {
  let found: MemberPlace = { keyStart: root.start, value: root };
  for (const step of path) {
    const next = memberOf(found.value, step);
    if (next === undefined) return found.value.start;
    found = next;
  }
  return part === 'key' ? found.keyStart : found.value.start;
}

/** An item of a list has no key, so both are where it starts. */
function memberOf(place: SourcePlace, step: string | number): MemberPlace | undefined {
  if (typeof step === 'string') return place.members?.get(step);
  const item = place.items?.[step];
  return item === undefined ? undefined : { keyStart: item.start, value: item };
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let offset = text.indexOf('\n'); offset !== -1; offset = text.indexOf('\n', offset + 1)) starts.push(offset + 1);
  return starts;
}

function positionAt(starts: readonly number[], offset: number): Position {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
}
