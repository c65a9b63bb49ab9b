import type { LimitName } from '../core/record/limit-fact.ts';
import { LIMIT_CODES } from '../core/model/limits.ts';
import type { QuestionView } from './question-view.ts';

/** The limit that a question is about. */
export function limitOf(question: QuestionView | null): LimitName | null {
  if (question?.kind !== 'limit') return null;
  const name = /(?:^|\/)limit\/(\w+)\/\d+$/.exec(question.id)?.[1] ?? '';
  return Object.hasOwn(LIMIT_CODES, name) ? (name as LimitName) : null;
}
