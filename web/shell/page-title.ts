import { useEffect } from 'react';
import { visibleText } from '../ui/text.tsx';

/** What the tab is called: how many questions wait, then the page. */
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

/** What a run is called in the tab: one that did not come out well, or is paused, says so first. */
export const titleWords = (title: string, status: string): string =>
  QUIET.has(status) ? title : `${status}: ${title}`;

const QUIET: ReadonlySet<string> = new Set(['running', 'ok', 'waiting']);

export const pageTitle = new PageTitle();

export function usePageTitle(words: string): void {
  useEffect(() => pageTitle.name(words), [words]);
}
