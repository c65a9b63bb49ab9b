import type { LimitName } from '../../core/fact.ts';
import type { QuestionView } from '../../protocol/question-view.ts';
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
  if (line.status === 'paused' && line.outcome === 'blocked') return `The run is paused.\n${goOnOrEnd(run)}`;
  if (question === null) return failure?.hint === undefined ? null : `hint: ${plainText(failure.hint)}`;
  const limit = limitOf(question);
  if (limit === null) return askedText(run, question, hasTold(question.text));
  const what = hasTold(question.text.replace(/ Go on\?$/, '')) ? '' : `${plainText(question.text)}\n`;
  return `${what}${goOnOrEnd(run, LIMIT_FLAGS[limit])}`;
}

const goOnOrEnd = (run: string, flags = ''): string =>
  `  go on:  ${`troupe resume ${run} ${flags}`.trim()}\n  or end: troupe cancel ${run}`;

function askedText(run: string, { id, text, choices }: QuestionView, isTold: boolean): string {
  const list = choices.length === 0 ? '' : `\n  choices: ${choices.map(plainText).join(', ')}`;
  const asks = isTold ? 'The run waits for an answer.' : `The run asks: ${plainText(text)}`;
  return `${asks}${list}\n  answer: troupe answer ${run} ${id} TEXT`;
}
