import { visibleText } from '../ui/visible-text.ts';
import { newsText, type News } from './news.ts';

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
