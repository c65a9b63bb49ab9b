import { hash } from 'node:crypto';

/** Shorter ones are written out: a name would be as long. */
const LEAST_CHARACTERS = 100;

export const isLong = (text: string): boolean => text.length >= LEAST_CHARACTERS;

/** The name of a text: enough of its SHA-256 that no two texts of a journal share one. */
export const textName = (text: string): string => hash('sha256', text, 'base64url').slice(0, 22);

/** All long texts in a value, in the order of its keys. Half a character has no name of its own, and `sent` is no text of the run. */
export function longTexts(value: unknown): readonly string[] {
  if (typeof value === 'string') return isLong(value) && value.isWellFormed() ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => (key === 'sent' ? [] : longTexts(inner)));
}

/** The text as it stands inside so many JSON strings. */
export function quotedText(text: string, times = 1): string {
  let quoted = text;
  for (let at = 0; at < times; at += 1) quoted = JSON.stringify(quoted).slice(1, -1);
  return quoted;
}
