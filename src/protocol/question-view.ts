import type { OpenQuestion } from '../core/open-questions.ts';
import { namedRun } from './named-run.ts';
import type { QuestionView } from './operations/answers/question.ts';

export type { QuestionView } from './operations/answers/question.ts';

export function questionView(run: string, question: OpenQuestion): QuestionView {
  const { text, code: _code, ...rest } = question;
  return { ...rest, run, text: namedRun(text, run) };
}

/** A question is named by the way down to the run that asks it, so that two children may ask the same. */
export function questionsFromAbove(
  parent: string,
  child: string,
  questions: readonly QuestionView[],
): readonly QuestionView[] {
  const way = child.slice(parent.length + 1);
  return questions.map((question) => ({
    ...question,
    id: `${way}/${question.id}`,
    name: `${way}/${question.name}`,
  }));
}
