import type { core, ZodMiniType } from 'zod/mini';
import type { Json } from '../core/model/json.ts';
import type { SourcePath } from './place.ts';

export interface Trimmed<T> {
  readonly value: T;
  /** Nothing had to be removed. */
  readonly isWhole: boolean;
}

/**
 * A value without the parts that its schema refuses, so that the rest can be checked in the same pass; null if nothing is
 * left. Items of a list keep their index: a list is cut before the first item that cannot stay.
 */
export function trim<T>(schema: ZodMiniType<T>, value: Json): Trimmed<T> | null {
  const rest = structuredClone(value);
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const parsed = schema.safeParse(rest);
    if (parsed.success) return { value: parsed.data, isWhole: round === 0 };
    const refused = parsed.error.issues.flatMap((issue) => refusedPaths(issue, rest));
    const taken = refused.filter((path) => takeAway(rest, path));
    if (taken.length === 0) return null;
  }
  return null;
}

/** A round removes one level at most: a value that lacks a key goes with the next one. No format is this deep. */
const MOST_ROUNDS = 20;

function refusedPaths(issue: core.$ZodIssue, value: Json): readonly SourcePath[] {
  const path = issue.path as SourcePath;
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => [...path, key]);
  // A missing value cannot be removed, but its parent can.
  return [isThere(value, path) ? path : path.slice(0, -1)];
}

type Holder = Record<string | number, Json>;

const isThere = (value: Json, path: SourcePath): boolean => {
  const holder = holderOf(value, path);
  return holder !== null && Object.hasOwn(holder, path.at(-1) ?? '');
};

function holderOf(value: Json, path: SourcePath): Holder | null {
  let at: Json | undefined = value;
  for (const step of path.slice(0, -1)) at = isHolder(at) && Object.hasOwn(at, step) ? at[step] : undefined;
  return isHolder(at) ? at : null;
}

const isHolder = (value: Json | undefined): value is Json & Holder => typeof value === 'object' && value !== null;

/** Whether something was removed. */
function takeAway(value: Json, path: SourcePath): boolean {
  const holder = holderOf(value, path);
  const last = path.at(-1);
  if (holder === null || last === undefined || !Object.hasOwn(holder, last)) return false;
  if (Array.isArray(holder)) holder.length = Number(last);
  else delete holder[last];
  return true;
}
