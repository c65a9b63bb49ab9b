import { LIMIT_FLAGS } from '../../protocol/limit-flags.ts';
import { namedRun } from '../../protocol/named-run.ts';
import type { QuestionView } from '../../protocol/question-view.ts';
import type { SettledLine } from '../../protocol/run-line.ts';
import { answerCommandText, resumeCommandText } from '../../protocol/next-commands.ts';
import { plainText } from '../../protocol/plain-text.ts';
import { limitOf } from '../../protocol/limit-of.ts';

export interface ShownNextStep {
  /** Whether the person has just read this, so that it is not printed again. */
  readonly hasShown?: (text: string) => boolean;
}

/** What a person can do now, as commands to copy. */
export function nextStep(line: SettledLine, { hasShown = () => false }: ShownNextStep = {}): string | null {
  const { question, run, failure } = line;
  if (line.status === 'paused' && line.outcome === 'blocked') return pausedText(run, failure);
  if (question === null) return failure?.hint === undefined ? null : `hint: ${plainText(namedRun(failure.hint, run))}`;
  const limit = limitOf(question);
  if (limit === null) return askedText(line, question, hasShown);
  const what = hasShown(question.text.replace(/ Go on\?$/, '')) ? '' : `${plainText(question.text)}\n`;
  return `${what}${goOnOrEnd(run, LIMIT_FLAGS[limit])}\n  answer: ${answerCommandText(run, question)}`;
}

/** A failure that a person has to fix first names the way on by itself. */
function pausedText(run: string, failure: SettledLine['failure']): string {
  if (failure === null) return `The run is paused.\n${goOnOrEnd(run)}`;
  return `The run is paused, ${failure.code}: ${plainText(failure.message)}\nhint: ${plainText(namedRun(failure.hint ?? '', run))}`;
}

const goOnOrEnd = (run: string, flags = ''): string =>
  `  continue: ${resumeCommandText(run, flags)}\n  or end:   troupe cancel ${run}`;

function askedText({ run, questions = [] }: SettledLine, only: QuestionView, hasShown: HasShown): string {
  if (questions.length < 2) {
    const asks = hasShown(only.text) ? 'The run waits for an answer.' : `The run asks: ${plainText(only.text)}`;
    return [asks, `  answer: ${answerCommandText(run, only)}`, ...lookOrEnd(run)].join('\n');
  }
  const each = questions.flatMap((question) => [
    ...(hasShown(question.text) ? [] : [`${question.name}: ${plainText(question.text)}`]),
    `  answer ${question.name}: ${answerCommandText(run, question)}`,
  ]);
  return [`The run waits for ${questions.length} answers.`, ...each, ...lookOrEnd(run)].join('\n');
}

const lookOrEnd = (run: string): readonly string[] => [
  `  look:   troupe show ${run}`,
  `  or end: troupe cancel ${run}`,
];

type HasShown = NonNullable<ShownNextStep['hasShown']>;
