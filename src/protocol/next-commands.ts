import { answerWords } from './answer-words.ts';
import { LIMIT_FLAGS } from './limit-flags.ts';
import { limitOf } from './limit-of.ts';
import type { QuestionView } from './question-view.ts';
import type { SettledLine } from './run-line.ts';

/** What a person can do about a run that rests, as commands to copy. */
export function nextCommands({ run, status, question, questions, outcome }: SettledLine): readonly string[] {
  const cancel = `troupe cancel ${run}`;
  const limit = limitOf(question);
  const isHeld = status === 'paused' && outcome === 'blocked';
  if (question === null || isHeld) return [resumeCommand(run), cancel];
  if (limit !== null) return [resumeCommand(run, LIMIT_FLAGS[limit]), answerCommand(run, question), cancel];
  return [...(questions ?? [question]).map((one) => answerCommand(run, one)), cancel];
}

export const answerCommand = (run: string, question: QuestionView): string =>
  `troupe answer ${run} ${question.name} ${answerWords(question)}`;

export const resumeCommand = (run: string, flags = ''): string => `troupe resume ${run} ${flags}`.trim();
