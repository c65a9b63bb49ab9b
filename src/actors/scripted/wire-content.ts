import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';

/** The objects of a list; anything else in it is left out. */
export function wireObjects(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly Json[]).filter(isJsonObject) : [];
}

/** Content is a text or a list of blocks; blocks without text are pictures and the like. */
export function contentText(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  return wireObjects(value)
    .map((block) => wireText(block['text']))
    .filter((part) => part !== '')
    .join('\n\n');
}

export const wireText = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

export const objectOr = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {});

/** Arguments travel as text in OpenAI's formats. */
export function argumentsValue(value: Json | undefined): Json {
  if (typeof value !== 'string') return value ?? {};
  try {
    return JSON.parse(value) as Json;
  } catch {
    return value;
  }
}
