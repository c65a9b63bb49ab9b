import { useEffect } from 'react';
import { visibleText } from '../ui/text.tsx';

/** The title of the tab: the number of open questions, then the page. */
class PageTitle {
  #words = '';
  #waiting = 0;

  name(words: string): void {
    this.#words = words;
    this.#show();
  }

  count(waiting: number): void {
    this.#waiting = waiting;
    this.#show();
  }

  #show(): void {
    document.title = titleOf(this.#words, this.#waiting);
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    const href = this.#waiting > 0 ? '/favicon-asks.svg' : '/favicon.svg';
    if (icon !== null && !icon.href.endsWith(href)) icon.href = href;
  }
}

export const titleOf = (words: string, waiting: number): string =>
  `${waiting > 0 ? `(${waiting}) ` : ''}${words === '' ? '' : `${visibleText(words)} · `}Troupe`;

/** The tab title of a run, with its status first if it failed or is paused. */
export const titleWords = (title: string, status: string): string =>
  QUIET.has(status) ? title : `${status}: ${title}`;

const QUIET: ReadonlySet<string> = new Set(['running', 'ok', 'waiting']);

export const pageTitle = new PageTitle();

export function usePageTitle(words: string): void {
  useEffect(() => pageTitle.name(words), [words]);
}
