import type { Column, RunCard, RunPage } from '../../src/protocol/web/run-card.ts';
import type { StreamBatch } from '../../src/protocol/web/stream.ts';
import { Watched } from '../model/watched.ts';

/** The filter of the board, kept in the address. */
export interface BoardSearch {
  readonly q?: string;
  readonly workflow?: string;
  readonly project?: string;
  /** Archived runs as well. */
  readonly archived?: 'true';
}

export function parseBoardSearch(search: Readonly<Record<string, unknown>>): BoardSearch {
  const kept = (['q', 'workflow', 'project'] as const).flatMap((key) => {
    const value = search[key];
    const text = ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : '';
    return text === '' ? [] : [[key, text] as const];
  });
  return { ...Object.fromEntries(kept), ...(String(search['archived']) === 'true' ? { archived: 'true' } : {}) };
}

/** As the server finds them: every word stands in what the list shows of a run. */
function isWanted(card: RunCard, { q = '', workflow, project }: BoardSearch): boolean {
  if (workflow !== undefined && card.workflow !== workflow) return false;
  if (project !== undefined && card.project !== project) return false;
  const text = [card.title, card.workflow, card.run, card.project].join('\n').toLowerCase();
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

export const COLUMNS: readonly Column[] = ['running', 'needs-you', 'ready', 'failed', 'done'];

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
  columns: { running: NOTHING, 'needs-you': NOTHING, ready: NOTHING, failed: NOTHING, done: NOTHING },
  counts: { running: 0, 'needs-you': 0, ready: 0, failed: 0, done: 0 },
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
  const to = columnFor(card, search);
  for (const column of COLUMNS) {
    const { cards } = columns[column];
    const isHere = column === to && isReadSoFar(columns[column], card);
    if (column !== before && !isHere) continue;
    const others = cards.filter(({ run }) => run !== card.run);
    columns[column] = { ...columns[column], cards: isHere ? [...others, card].toSorted(newestFirst) : others };
  }
  return { columns, counts: before === to ? board.counts : moved(board.counts, before, to) };
}

const columnFor = ({ isArchived, column }: RunCard, { archived }: BoardSearch): Column | null =>
  isArchived === true && archived === undefined ? null : column;

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

const isOnBoard = (board: Board, run: string): boolean =>
  COLUMNS.some((column) => board.columns[column].cards.some((card) => card.run === run));

const newestFirst = (a: RunCard, b: RunCard): number => b.startedAt - a.startedAt || (a.run < b.run ? 1 : -1);

const RECOUNT_MS = 500;

export type ReadPage = (search: BoardSearch & { readonly column: Column; readonly after?: string }) => Promise<RunPage>;

/** A board for one search: first pages, what comes on the stream, and further pages when they are asked for. */
export class BoardStore extends Watched {
  readonly #read: ReadPage;
  readonly #search: BoardSearch;
  readonly #reading = new Set<Column>();
  /** Of each page that is being read, the cards that came meanwhile. */
  readonly #meanwhile = new Set<RunCard[]>();
  #board: Board = EMPTY_BOARD;
  #isCounting = false;
  #failure: unknown = null;

  constructor(search: BoardSearch, read: ReadPage) {
    super();
    this.#search = search;
    this.#read = read;
  }

  readonly board = (): Board => this.#board;
  readonly failure = (): unknown => this.#failure;

  /** Also after a lost connection: the stream does not repeat cards that changed meanwhile. */
  async refresh(): Promise<void> {
    await Promise.all(COLUMNS.map((column) => this.#readPage(column, true)));
  }

  async more(column: Column): Promise<void> {
    if (this.#board.columns[column].next !== null) await this.#readPage(column, false);
  }

  readonly hear = ({ cards }: StreamBatch): void => {
    for (const heard of this.#meanwhile) heard.push(...cards);
    let board = this.#board;
    if (cards.some((card) => isWanted(card, this.#search) && !isOnBoard(board, card.run))) this.#recount();
    for (const card of cards) board = withCard(board, card, this.#search);
    if (board !== this.#board) this.#set(board);
  };

  /** A card that was on no page may be new, or of a page that was not read: the server counts again. */
  #recount(): void {
    if (this.#isCounting) return;
    this.#isCounting = true;
    setTimeout(() => {
      this.#isCounting = false;
      void this.#readPage('running', true);
    }, RECOUNT_MS);
  }

  async #readPage(column: Column, isFirst: boolean): Promise<void> {
    if (this.#reading.has(column)) return;
    this.#reading.add(column);
    const after = isFirst ? null : this.#board.columns[column].next;
    const heard: RunCard[] = [];
    this.#meanwhile.add(heard);
    try {
      const page = await this.#read({ ...this.#search, column, ...(after === null ? {} : { after }) });
      this.#failure = null;
      this.#set(this.#withNews(withPage(this.#board, column, { page, isFirst }), page, heard));
    } catch (error) {
      this.#failure = error;
      this.#set({ ...this.#board });
    } finally {
      this.#reading.delete(column);
      this.#meanwhile.delete(heard);
    }
  }

  /** A page says how things stood when it was read. */
  #withNews(board: Board, page: RunPage, heard: readonly RunCard[]): Board {
    const read = new Map(page.cards.map(({ run, seq }) => [run, seq]));
    return heard
      .filter(({ run, seq }) => seq >= (read.get(run) ?? 0))
      .reduce((now, card) => withCard(now, card, this.#search), board);
  }

  #set(board: Board): void {
    this.#board = board;
    this.notify();
  }
}
