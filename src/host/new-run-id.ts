import { createHash, randomInt } from 'node:crypto';
import { runId, type RunId } from '../core/model/ids.ts';
import type { FiredSchedule } from '../core/model/run-terms.ts';

/** No letter that is easily taken for another or for a digit. */
const LETTERS = '23456789abcdefghjkmnpqrstuvwxyz';
const LENGTH = 10;

const spelled = (numberAt: (index: number) => number): RunId =>
  runId(Array.from({ length: LENGTH }, (_, index) => LETTERS[numberAt(index) % LETTERS.length]).join(''));

/** Random, so that a few characters are enough to name a run. */
export const newRunId = (): RunId => spelled(() => randomInt(LETTERS.length));

/** The same on every try, so that a second one for the same time meets RUN_EXISTS. */
export function scheduledRunId({ name, at }: FiredSchedule): RunId {
  const hash = createHash('sha256').update(`${name}@${at}`).digest();
  return spelled((index) => hash.readUInt16BE(index * 2));
}
