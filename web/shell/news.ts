import type { QuestionView } from '../../src/protocol/question-view.ts';
import type { RunCard } from '../../src/protocol/web/run-card.ts';
import { cardWord } from '../model/settled-word.ts';

/** What is worth interrupting somebody for. */
export type News =
  | { readonly kind: 'asks'; readonly card: RunCard; readonly question: QuestionView }
  | { readonly kind: 'answered'; readonly card: RunCard }
  | { readonly kind: 'over'; readonly card: RunCard };

/**
 * What a card says that the one before did not. The first card of a run is how things stand; only what happened since then is
 * news in it: a run may ask, or be over, before anybody heard that it began.
 */
export function newsOf(before: RunCard | undefined, card: RunCard, since: number): readonly News[] {
  const isOver =
    card.status === 'settled' && (before === undefined ? card.startedAt >= since : before.status !== 'settled');
  return [...questionNews(before, card, since), ...(isOver ? [{ kind: 'over', card } as const] : [])];
}

function questionNews(before: RunCard | undefined, card: RunCard, since: number): readonly News[] {
  if (card.details === null) return [];
  const known = before?.details?.questions ?? null;
  const asked = new Set(known?.map(({ id }) => id));
  const asks = new Set(card.details.questions.map(({ id }) => id));
  const fresh = card.details.questions.filter(({ id, at }) => (known === null ? at >= since : !asked.has(id)));
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
  if (news.kind === 'over') return `${name} is over: ${cardWord(card)}.`;
  return `A question of ${name} was answered.`;
}
