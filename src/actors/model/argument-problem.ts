import { isJsonObject, type Json } from '../../core/json.ts';

/** What is wrong with a call's arguments before any schema is looked at; text here is what would not parse. */
export function argumentProblem(value: Json): string | null {
  if (isJsonObject(value)) return null;
  if (typeof value !== 'string') return 'The arguments must be a JSON object.';
  try {
    JSON.parse(value);
    return 'The arguments must be a JSON object.';
  } catch (error) {
    return `The arguments are not JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}
