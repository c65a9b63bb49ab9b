import { isJsonObject, type Json, type JsonObject } from '../core/model/json.ts';

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

/** Each field is looked at once: a second look at every level would take exponential time in a nested value. */
function redactObject(object: JsonObject, redact: (text: string) => string): JsonObject {
  let isChanged = false;
  const fields = Object.entries(object).map(([name, item]: readonly [string, Json | undefined]) => {
    const cleanName = redact(name);
    // A field that is there without a value stays so.
    const clean = item === undefined ? undefined : redactJson(item, redact);
    isChanged ||= cleanName !== name || clean !== item;
    return [cleanName, clean] as const;
  });
  return isChanged ? (Object.fromEntries(fields) as JsonObject) : object;
}
