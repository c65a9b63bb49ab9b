import type { QuestionView } from '../../src/protocol/question-view.ts';
import type { RunCard } from '../../src/protocol/web/run-card.ts';

/** What is worth interrupting somebody for. */
export type News =
  | { readonly kind: 'asks'; readonly card: RunCard; readonly question: QuestionView }
  | { readonly kind: 'answered'; readonly card: RunCard }
  | { readonly kind: 'over'; readonly card: RunCard };

/** What a card says that the one before did not. The first card of a run is how things stand, and no news. */
export function newsOf(before: RunCard | undefined, card: RunCard): readonly News[] {
  if (before === undefined) return [];
  const isOver = before.status !== 'settled' && card.status === 'settled';
  return [...questionNews(before, card), ...(isOver ? [{ kind: 'over', card } as const] : [])];
}

function questionNews(before: RunCard, card: RunCard): readonly News[] {
  if (before.details === null || card.details === null) return [];
  const asked = new Set(before.details.questions.map(({ id }) => id));
  const asks = new Set(card.details.questions.map(({ id }) => id));
  const fresh = card.details.questions.filter(({ id }) => !asked.has(id));
  const isAnswered = [...asked].some((id) => !asks.has(id));
  return [
    ...fresh.map((question) => ({ kind: 'asks', card, question }) as const),
    ...(isAnswered ? [{ kind: 'answered', card } as const] : []),
  ];
}

export function newsText(news: News): string {
  const { card } = news;
  const name = card.title === '' ? card.run : card.title;
  if (news.kind === 'asks') return `${name} asks: ${news.question.text}`;
  if (news.kind === 'over') return `${name} is over: ${card.outcome ?? 'settled'}.`;
  return `A question of ${name} was answered.`;
}
