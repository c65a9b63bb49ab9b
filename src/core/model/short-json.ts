import type { Json } from './json.ts';

/** A value inside a sentence: long ones by their beginning. */
export function shortJson(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
