import type { JsonObject } from '../../core/json.ts';
import { oneLine } from '../../protocol/plain-text.ts';

/** What a run is called in lists: the beginning of the first thing that was given. */
export function runTitle(input: JsonObject): string {
  const [first] = Object.values(input);
  if (first === undefined) return '';
  return oneLine(typeof first === 'string' ? first : JSON.stringify(first), 100);
}
