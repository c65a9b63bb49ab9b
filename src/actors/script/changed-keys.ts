import type { Patch } from '../../core/fact.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { jsonEqual } from '../../core/json-equal.ts';

/** What a script changed: the top-level keys of the run's data that came out different. */
export function changedKeys(before: JsonObject, after: JsonObject): Patch {
  const changed = Object.entries(after).filter(([key, value]) => !isSame(before, key, value));
  const unset = Object.keys(before).filter((key) => !Object.hasOwn(after, key));
  return { set: Object.fromEntries(changed), unset };
}

const isSame = (before: JsonObject, key: string, value: Json): boolean =>
  Object.hasOwn(before, key) && jsonEqual(before[key], value);
