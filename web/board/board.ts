import type { Column, RunCard, RunPage } from '../../src/protocol/web/run-card.ts';
import { isWanted, type BoardSearch } from './board-search.ts';

export const COLUMNS: readonly Column[] = ['running', 'needs-you', 'review', 'done'];

/** The board as far as it was read. A card is on it once, newest runs first in each column. */
export interface Board {
  readonly columns: Readonly<Record<Column, BoardColumn>>;
  readonly counts: Readonly<Record<Column, number>>;
}

export interface BoardColumn {
  readonly cards: readonly RunCard[];
  /** Where the next page begins; null when all are here. */
  readonly next: string | null;
  readonly isRead: boolean;
}

const NOTHING: BoardColumn = { cards: [], next: null, isRead: false };

export const EMPTY_BOARD: Board = {
  columns: { running: NOTHING, 'needs-you': NOTHING, review: NOTHING, done: NOTHING },
  counts: { running: 0, 'needs-you': 0, review: 0, done: 0 },
};

/** The first page of a column takes the place of what was there; a further one is put behind it. */
export function withPage(
  board: Board,
  column: Column,
  { page, isFirst }: { readonly page: RunPage; readonly isFirst: boolean },
): Board {
  const before = isFirst ? [] : board.columns[column].cards;
  const known = new Set(before.map(({ run }) => run));
  const news = page.cards.filter((card) => !known.has(card.run) && !isOlder(board, column, card));
  const cards = [...before, ...news].toSorted(newestFirst);
  const columns = { ...board.columns, [column]: { cards, next: page.next, isRead: true } };
  const read = new Set(news.map(({ run }) => run));
  for (const other of COLUMNS.filter((one) => one !== column))
    columns[other] = { ...columns[other], cards: columns[other].cards.filter(({ run }) => !read.has(run)) };
  return { counts: page.counts, columns };
}

/** Columns are read one by one: a run may have moved to another between two of them. */
const isOlder = (board: Board, column: Column, { run, seq }: RunCard): boolean =>
  COLUMNS.some(
    (other) => other !== column && board.columns[other].cards.some((one) => one.run === run && one.seq > seq),
  );

/** A card that came on the stream: it leaves the column it was in, and stands in its own where that is read so far. */
export function withCard(board: Board, card: RunCard, search: BoardSearch): Board {
  if (!isWanted(card, search)) return board;
  const before = COLUMNS.find((column) => board.columns[column].cards.some(({ run }) => run === card.run)) ?? null;
  const columns = { ...board.columns };
  // One that was archived stands in none.
  const to = card.isArchived === true ? null : card.column;
  for (const column of COLUMNS) {
    const { cards } = columns[column];
    const isHere = column === to && isReadSoFar(columns[column], card);
    if (column !== before && !isHere) continue;
    const others = cards.filter(({ run }) => run !== card.run);
    columns[column] = { ...columns[column], cards: isHere ? [...others, card].toSorted(newestFirst) : others };
  }
  return { columns, counts: before === to ? board.counts : moved(board.counts, before, to) };
}

/** A card older than all that were read comes with a later page. */
function isReadSoFar({ cards, next, isRead }: BoardColumn, card: RunCard): boolean {
  const oldest = cards.at(-1);
  return isRead && (next === null || oldest === undefined || newestFirst(card, oldest) <= 0);
}

/** One that was on no page is taken for new; whether it is, only the server can tell. */
const moved = (counts: Board['counts'], from: Column | null, to: Column | null): Board['counts'] => ({
  ...counts,
  ...(from === null ? {} : { [from]: Math.max(0, counts[from] - 1) }),
  ...(to === null ? {} : { [to]: counts[to] + 1 }),
});

export const isOnBoard = (board: Board, run: string): boolean =>
  COLUMNS.some((column) => board.columns[column].cards.some((card) => card.run === run));

const newestFirst = (a: RunCard, b: RunCard): number => b.startedAt - a.startedAt || (a.run < b.run ? 1 : -1);
