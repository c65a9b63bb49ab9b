import type { OpenQuestion } from '../core/open-questions.ts';

/** Something only a person can settle. The same shape on every surface, so that any of them can answer. */
export interface QuestionView {
  readonly id: string;
  /** The run that asks: the one shown or a child of it. */
  readonly run: string;
  readonly kind: 'ask' | 'limit' | 'permission';
  readonly text: string;
  readonly choices: readonly string[];
  readonly state: string;
  readonly at: number;
}

export function questionView(run: string, question: OpenQuestion): QuestionView {
  const { id, kind, text, choices, state, at } = question;
  return { id, run, kind, text, choices, state, at };
}
