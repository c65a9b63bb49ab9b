import { answerWords } from './answer-words.ts';
import { LIMIT_FLAGS } from './limit-flags.ts';
import { limitOf } from './limit-of.ts';
import type { QuestionView } from './question-view.ts';
import type { SettledLine } from './run-line.ts';

/** Commands to copy for a run that is waiting or has ended. */
export function nextCommands({ run, status, question, questions, outcome }: SettledLine): readonly string[] {
  const cancel = `troupe cancel ${run}`;
  const limit = limitOf(question);
  const isHeld = status === 'paused' && outcome === 'blocked';
  if (question === null || isHeld) return [resumeCommandText(run), cancel];
  if (limit !== null) return [resumeCommandText(run, LIMIT_FLAGS[limit]), answerCommandText(run, question), cancel];
  return [...(questions ?? [question]).map((one) => answerCommandText(run, one)), cancel];
}

export const answerCommandText = (run: string, question: QuestionView): string =>
  `troupe answer ${run} ${question.name} ${answerWords(question)}`;

export const resumeCommandText = (run: string, flags = ''): string => `troupe resume ${run} ${flags}`.trim();
