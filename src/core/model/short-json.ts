import type { Json } from './json.ts';

/** A value for use in a sentence: long ones are cut. */
export function shortJson(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
