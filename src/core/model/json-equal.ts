import { isJsonObject, type Json, type JsonObject } from './json.ts';

/** Whether two JSON values say the same; the order of keys does not matter. */
export function jsonEqual(left: Json | undefined, right: Json | undefined): boolean {
  if (left === right) return true;
  if (Array.isArray(left) && Array.isArray(right)) return listsEqual(left, right);
  return isJsonObject(left) && isJsonObject(right) && objectsEqual(left, right);
}

function listsEqual(left: readonly Json[], right: readonly Json[]): boolean {
  return left.length === right.length && left.every((item, at) => jsonEqual(item, right[at]));
}

function objectsEqual(left: JsonObject, right: JsonObject): boolean {
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every((key) => Object.hasOwn(right, key) && jsonEqual(left[key], right[key]));
}
