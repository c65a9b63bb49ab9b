import { useShortcut } from '../ui/use-shortcut.ts';

/** j and k go through the cards of a column, h and l from column to column. Enter opens, as everywhere. */
export function useCardKeys(): void {
  useShortcut('j', 'Next run', () => step(1));
  useShortcut('k', 'Previous run', () => step(-1));
  useShortcut('h', 'Column to the left', () => sideStep(-1));
  useShortcut('l', 'Column to the right', () => sideStep(1));
  useShortcut('/', 'Search', () => document.querySelector<HTMLElement>('[data-search]')?.focus());
}

const cardsIn = (place: ParentNode): readonly HTMLElement[] =>
  [...place.querySelectorAll<HTMLElement>('[data-card]')].toSorted(
    (a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top,
  );

function step(by: number): void {
  const column = document.activeElement?.closest('section') ?? document;
  const cards = cardsIn(column === document ? (sections()[0] ?? document) : column);
  const at = cards.findIndex((card) => card === document.activeElement);
  focus(cards[at === -1 ? 0 : Math.min(cards.length - 1, Math.max(0, at + by))]);
}

function sideStep(by: number): void {
  const columns = sections();
  const at = columns.findIndex((column) => column.contains(document.activeElement));
  focus(cardsIn(columns[at === -1 ? 0 : (at + by + columns.length) % columns.length] ?? document)[0]);
}

const sections = (): readonly Element[] =>
  [...document.querySelectorAll('main section')].filter((column) => column.querySelector('[data-card]') !== null);

function focus(card: HTMLElement | undefined): void {
  card?.focus();
  card?.scrollIntoView({ block: 'nearest' });
}
