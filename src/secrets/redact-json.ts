import { isJsonObject, type Json, type JsonObject } from '../core/json.ts';

/** Every text of a value, the names of fields too. Returns the same object where nothing changed. */
export function redactJson(value: Json, redact: (text: string) => string): Json {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return redactList(value as readonly Json[], redact);
  return isJsonObject(value) ? redactObject(value, redact) : value;
}

function redactList(list: readonly Json[], redact: (text: string) => string): readonly Json[] {
  let changed: Json[] | null = null;
  for (const [index, item] of list.entries()) {
    const clean = redactJson(item, redact);
    if (clean !== item) (changed ??= [...list])[index] = clean;
  }
  return changed ?? list;
}

function redactObject(object: JsonObject, redact: (text: string) => string): JsonObject {
  const names = Object.keys(object);
  // A field that is there without a value stays so.
  const cleanField = (name: string): Json | undefined => {
    const item = object[name];
    return item === undefined ? undefined : redactJson(item, redact);
  };
  if (names.every((name) => redact(name) === name && cleanField(name) === object[name])) return object;
  return Object.fromEntries(names.map((name) => [redact(name), cleanField(name)])) as JsonObject;
}
