import { isJsonObject, type Json, type JsonObject } from '../model/json.ts';
import { jsonEqual } from '../model/json-equal.ts';

/**
 * How an object or a list changed: only the differences, so that a journal grows by what happened and not by what exists. In
 * a list the keys are indexes, counted after `drop` items were removed from its front.
 */
export interface Patch {
  /** New values, by key. */
  readonly set?: JsonObject;
  readonly unset?: readonly string[];
  /** Values that changed inside, by key. */
  readonly inside?: Readonly<Record<string, Patch>>;
  readonly drop?: number;
  readonly add?: readonly Json[];
}

/** The patch from one object to the other; null if they are equal. */
export function patchBetween(before: JsonObject, after: JsonObject): Patch | null {
  const keys = Object.keys(after).filter((key) => before[key] !== after[key] || !Object.hasOwn(before, key));
  const unset = Object.keys(before).filter((key) => valueAt(after, key) === undefined);
  return compact({ ...changesAt(before, after, keys), unset });
}

type Container = JsonObject | readonly Json[];

function patchInside(before: Json | undefined, after: Json): Patch | null {
  if (isJsonObject(before) && isJsonObject(after)) return patchBetween(before, after);
  return Array.isArray(before) && Array.isArray(after) ? listPatch(before, after) : null;
}

function changesAt(before: Container, after: Container, keys: readonly (string | number)[]): Patch {
  const set: [string, Json][] = [];
  const inside: [string, Patch][] = [];
  for (const key of keys) {
    const [old, now] = [valueAt(before, key), valueAt(after, key)];
    if (now === undefined || jsonEqual(old, now)) continue;
    const patch = patchInside(old, now);
    if (patch === null || isAsLong(patch, now)) set.push([String(key), now]);
    else inside.push([String(key), patch]);
  }
  return { set: Object.fromEntries(set), inside: Object.fromEntries(inside) };
}

function valueAt(container: Container, key: string | number): Json | undefined {
  if (Array.isArray(container)) return (container as readonly Json[])[Number(key)];
  return Object.hasOwn(container, key) ? (container as JsonObject)[key] : undefined;
}

/** If nothing of the value was kept, the value itself is shorter. */
function isAsLong({ set = {}, inside = {}, add = [], drop = 0 }: Patch, value: Json): boolean {
  const kept = Array.isArray(value) ? value.length - add.length : Object.keys(value as JsonObject).length;
  return drop === 0 && Object.keys(inside).length === 0 && kept <= Object.keys(set).length;
}

/** Lists grow at their end, are used up from their front, and change inside; any other change has no patch. */
function listPatch(before: readonly Json[], after: readonly Json[]): Patch | null {
  const drop = droppedFrom(before, after);
  const kept = before.slice(drop);
  if (kept.length > after.length) return null;
  return compact({ ...changesAt(kept, after, [...kept.keys()]), drop, add: after.slice(kept.length) });
}

function droppedFrom(before: readonly Json[], after: readonly Json[]): number {
  if (jsonEqual(before[0], after[0])) return 0;
  const isEnd = (from: number): boolean =>
    before.length - from <= after.length && before.slice(from).every((item, at) => jsonEqual(item, after[at]));
  const found = before.findIndex((_item, at) => isEnd(at));
  if (found !== -1) return found;
  return after.length === 0 || before.length > after.length ? before.length : 0;
}

function compact(patch: Patch): Patch | null {
  const said = Object.entries(patch).filter(([, part]) =>
    typeof part === 'number' ? part > 0 : Object.keys(part).length > 0,
  );
  return said.length === 0 ? null : Object.fromEntries(said);
}

/** The object after the change; what did not change is the same as before. */
export function patched(before: JsonObject, patch: Patch): JsonObject {
  const inside = Object.entries(patch.inside ?? {}).map(([key, one]) => [key, changed(before[key], one)] as const);
  // Never by assignment: a key such as `__proto__` is only a name here.
  const after: JsonObject = { ...before, ...patch.set, ...Object.fromEntries(inside) };
  if (patch.unset === undefined) return after;
  const away = new Set(patch.unset);
  return Object.fromEntries(Object.entries(after).filter(([key]) => !away.has(key)));
}

function changed(before: Json | undefined, patch: Patch): Json {
  // Missing values stay empty: views that keep no data fold the same records.
  if (!Array.isArray(before)) return patched(isJsonObject(before) ? before : {}, patch);
  const list: Json[] = [...(before as readonly Json[]).slice(patch.drop ?? 0), ...(patch.add ?? [])];
  for (const [at, value] of Object.entries(patch.set ?? {})) list[Number(at)] = value;
  for (const [at, one] of Object.entries(patch.inside ?? {})) list[Number(at)] = changed(list[Number(at)], one);
  return list;
}
