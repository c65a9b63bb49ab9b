import { LIMIT_FLAGS } from '../../protocol/limit-flags.ts';
import { namedRun } from '../../protocol/named-run.ts';
import type { QuestionView } from '../../protocol/question-view.ts';
import type { SettledLine } from '../../protocol/run-line.ts';
import { answerCommand, resumeCommand } from '../../protocol/next-commands.ts';
import { plainText } from '../../protocol/plain-text.ts';
import { limitOf } from '../../protocol/limit-of.ts';

export interface Told {
  /** Whether the person has just read this, so that it need not be said again. */
  readonly hasTold?: (text: string) => boolean;
}

/** What a person can do now, as commands to copy. */
export function nextStep(line: SettledLine, { hasTold = () => false }: Told = {}): string | null {
  const { question, run, failure } = line;
  if (line.status === 'paused' && line.outcome === 'blocked') return pausedText(run, failure);
  if (question === null) return failure?.hint === undefined ? null : `hint: ${plainText(namedRun(failure.hint, run))}`;
  const limit = limitOf(question);
  if (limit === null) return askedText(line, question, hasTold);
  const what = hasTold(question.text.replace(/ Go on\?$/, '')) ? '' : `${plainText(question.text)}\n`;
  return `${what}${goOnOrEnd(run, LIMIT_FLAGS[limit])}\n  answer: ${answerCommand(run, question)}`;
}

/** What has to be mended first names the way on by itself. */
function pausedText(run: string, failure: SettledLine['failure']): string {
  if (failure === null) return `The run is paused.\n${goOnOrEnd(run)}`;
  return `The run is paused, ${failure.code}: ${plainText(failure.message)}\nhint: ${plainText(namedRun(failure.hint ?? '', run))}`;
}

const goOnOrEnd = (run: string, flags = ''): string =>
  `  go on:  ${resumeCommand(run, flags)}\n  or end: troupe cancel ${run}`;

function askedText({ run, questions = [] }: SettledLine, only: QuestionView, hasTold: HasTold): string {
  if (questions.length < 2) {
    const asks = hasTold(only.text) ? 'The run waits for an answer.' : `The run asks: ${plainText(only.text)}`;
    return `${asks}\n  answer: ${answerCommand(run, only)}`;
  }
  const each = questions.flatMap((question) => [
    ...(hasTold(question.text) ? [] : [`${question.name}: ${plainText(question.text)}`]),
    `  answer ${question.name}: ${answerCommand(run, question)}`,
  ]);
  return [`The run waits for ${questions.length} answers.`, ...each].join('\n');
}

type HasTold = NonNullable<Told['hasTold']>;
