import { isJsonObject, type Json } from '../model/json.ts';

/** The note of an engine program about its result, such as a reply that it did not accept; null: none. */
export const programNote = (output: Json): string | null =>
  isJsonObject(output) && typeof output['note'] === 'string' ? output['note'] : null;
