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

export interface Told {
  /** Whether the person has just read this, so that it need not be said again. */
  readonly hasTold?: (text: string) => boolean;
}

/** What a person can do now, as commands to copy. */
export function nextStep(line: SettledLine, { hasTold = () => false }: Told = {}): string | null {
  const { question, run, failure } = line;
  if (question === null) return failure?.hint === undefined ? null : `hint: ${plainText(failure.hint)}`;
  const limit = limitOf(question);
  if (limit !== null) {
    const what = hasTold(question.text.replace(/ Go on\?$/, '')) ? '' : `${plainText(question.text)}\n`;
    return `${what}  go on:  troupe resume ${run} ${LIMIT_FLAGS[limit]}\n  or end: troupe cancel ${run}`;
  }
  const choices = question.choices.length === 0 ? '' : `\n  choices: ${question.choices.map(plainText).join(', ')}`;
  const asks = hasTold(question.text) ? 'The run waits for an answer.' : `The run asks: ${plainText(question.text)}`;
  return `${asks}${choices}\n  answer: troupe answer ${run} ${question.id} TEXT`;
}
