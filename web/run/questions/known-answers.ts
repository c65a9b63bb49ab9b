import type { QuestionView } from '../../../src/protocol/question-view.ts';

/**
 * Answers that a question which takes any text names itself: of a review, the implementations of which the person picks one. They
 * stand in its words, as every surface has them; anything else may still be written.
 */
export function knownAnswers({
  kind,
  choices,
  text,
}: Pick<QuestionView, 'kind' | 'choices' | 'text'>): readonly string[] {
  if (kind !== 'ask' || choices.length > 0) return [];
  const names = /(?:^|\n)Which one is the best: ([^\n]+)\?$/.exec(text.trimEnd())?.[1]?.split(', ') ?? [];
  return names.length > 1 ? names : [];
}
