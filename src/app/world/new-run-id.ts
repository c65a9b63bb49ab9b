import { randomInt } from 'node:crypto';
import { runId, type RunId } from '../../core/ids.ts';

/** No letter that is easily taken for another or for a digit. */
const LETTERS = '23456789abcdefghjkmnpqrstuvwxyz';
const LENGTH = 10;

/** Random, so that a few characters are enough to name a run. */
export function newRunId(): RunId {
  return runId(Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join(''));
}
