import type { LimitName } from '../../core/fact.ts';
import type { SettledLine } from '../../protocol/run-line.ts';
import { plainText } from '../terminal/plain-text.ts';
import { limitOf } from './settled-line.ts';

/** The flag of `resume` that raises a limit, and what people write behind it. */
export const LIMIT_FLAGS: Readonly<Record<LimitName, string>> = {
  iterations: '--max-iterations N',
  toolRounds: '--max-tool-rounds N',
  durationMs: '--max-duration SECONDS',
  tokens: '--max-tokens N',
  usd: '--max-usd AMOUNT',
};

/** What a person can do now, as commands to copy. */
export function nextStep(line: SettledLine): string | null {
  const { question, run } = line;
  if (question === null) return null;
  const limit = limitOf(question);
  if (limit !== null) {
    return `${plainText(question.text)}\n  go on:  troupe resume ${run} ${LIMIT_FLAGS[limit]}\n  or end: troupe cancel ${run}`;
  }
  const choices = question.choices.length === 0 ? '' : `\n  choices: ${question.choices.map(plainText).join(', ')}`;
  return `The run asks: ${plainText(question.text)}${choices}\n  answer: troupe answer ${run} ${question.id} TEXT`;
}
