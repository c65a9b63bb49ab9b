import { hash } from 'node:crypto';
import type { JsonObject } from '../../core/model/json.ts';
import type { SentRequest } from '../../core/record/sent-request.ts';

/** Shorter ones are written out: a name would be as long. */
const LEAST_CHARACTERS = 100;

export const isLong = (text: string): boolean => text.length >= LEAST_CHARACTERS;

/** The name of a text: enough of its SHA-256 that no two texts of a journal share one. */
export const textName = (text: string): string => hash('sha256', text, 'base64url').slice(0, 22);

/** All long texts in a value, in the order of its keys. A lone surrogate has no name, and `sent` is no text of the run. */
export function longTexts(value: unknown, found: string[] = []): readonly string[] {
  if (typeof value === 'string') {
    if (isLong(value) && value.isWellFormed()) found.push(value);
  } else if (typeof value === 'object' && value !== null) {
    for (const key of Object.keys(value)) if (key !== 'sent') longTexts((value as JsonObject)[key], found);
  }
  return found;
}

/** The text as written inside so many JSON strings. */
export function quotedText(text: string, times = 1): string {
  let quoted = text;
  for (let at = 0; at < times; at += 1) quoted = JSON.stringify(quoted).slice(1, -1);
  return quoted;
}

/** Names a request by what is new in it and the name of the similar one, so that a long request costs no more than a short one. */
export const digestOf = ({ like, marks }: Pick<SentRequest, 'like' | 'marks'>, middle: string): string =>
  textName(JSON.stringify([like?.digest, like?.start, like?.end, marks?.text, marks?.places, middle]));
