import { isJsonObject, type Json } from '../model/json.ts';

/** What an engine program has to say to people about its result, such as a reply that it did not take; null: nothing. */
export const programNote = (output: Json): string | null =>
  isJsonObject(output) && typeof output['note'] === 'string' ? output['note'] : null;
