import type { OpenQuestion } from '../core/open-questions.ts';
import type { Approves } from '../core/question-fact.ts';
import { namedRun } from './named-run.ts';

/** Something only a person can settle. The same shape on every surface, so that any of them can answer. */
export interface QuestionView {
  readonly id: string;
  /** Short, for people; seen from above it begins with the way down to the run that asks, as in `t3/q1`. */
  readonly name: string;
  /** The run that asks: the one shown or a child of it. */
  readonly run: string;
  readonly kind: 'ask' | 'limit' | 'permission';
  readonly text: string;
  readonly choices: readonly string[];
  /** It takes any text, and is an approval all the same. */
  readonly approves?: Approves;
  readonly state: string;
  readonly at: number;
  /** The mark of the files that an approval is asked for; an answer is taken only for these. */
  readonly mark?: string;
  /** The files changed after it was asked, so an answer was not taken. */
  readonly isAgain?: true;
}

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
