/** The only kind of value that crosses a boundary: plain JSON. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a JSON text; the fallback if the text is not JSON. */
export function parseJson<Fallback>(text: string, fallback: Fallback): Json | Fallback {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return fallback;
  }
}

/** The object of a JSON text; null if the text is not a JSON object. */
export function parseObject(text: string): JsonObject | null {
  const value = parseJson(text, null);
  return isJsonObject(value) ? value : null;
}

/** A value for use in a sentence: text as it is, an empty text for null, JSON for anything else. */
export const jsonText = (value: Json | undefined): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);
