import type { QuestionView } from '../../src/protocol/question-view.ts';
import type { RunCard } from '../../src/protocol/web/run-card.ts';
import { cardWord } from '../model/run-result.ts';
import { visibleText } from '../ui/text.tsx';

/** Events worth a notification. */
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

const KEY = 'troupe-notices';

/** The browser is asked only when the person presses the button for it. */
export async function askForNotices(): Promise<boolean> {
  const isAllowed = (await Notification.requestPermission()) === 'granted';
  localStorage.setItem(KEY, isAllowed ? 'on' : 'off');
  return isAllowed;
}

export const stopNotices = (): void => localStorage.setItem(KEY, 'off');

export const hasNotices = (): boolean =>
  typeof Notification !== 'undefined' && Notification.permission === 'granted' && localStorage.getItem(KEY) === 'on';

/** Only for somebody who does not look at this page. Tabs that say the same share a tag, so it is said once. */
export function showNotice(news: News): void {
  if (!hasNotices() || document.hasFocus()) return;
  // Questions of different runs have the same names.
  const tag = `${news.card.run} ${news.kind === 'asks' ? news.question.id : 'over'}`;
  const title = news.kind === 'asks' ? 'Troupe needs you' : 'A run is over';
  const notice = new Notification(title, { body: visibleText(newsText(news)), tag, icon: '/favicon.svg' });
  notice.addEventListener('click', () => {
    window.focus();
    location.assign(`/runs/${encodeURIComponent(news.card.run)}`);
  });
}
