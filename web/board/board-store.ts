import type { Column, RunCard, RunPage } from '../../src/protocol/web/run-card.ts';
import type { StreamBatch } from '../../src/protocol/web/stream.ts';
import { COLUMNS, EMPTY_BOARD, isOnBoard, withCard, withPage, type Board } from './board.ts';
import { isWanted, type BoardSearch } from './board-search.ts';

const RECOUNT_MS = 500;

export type ReadPage = (
  search: BoardSearch & { readonly column: Column; readonly cursor?: string },
) => Promise<RunPage>;

/** A board for one search: first pages, what comes on the stream, and further pages when they are asked for. */
export class BoardStore {
  readonly #read: ReadPage;
  readonly #search: BoardSearch;
  readonly #listeners = new Set<() => void>();
  readonly #reading = new Set<Column>();
  /** Of each page that is being read, the cards that came meanwhile. */
  readonly #meanwhile = new Set<RunCard[]>();
  #board: Board = EMPTY_BOARD;
  #isCounting = false;
  #failure: unknown = null;

  constructor(search: BoardSearch, read: ReadPage) {
    this.#search = search;
    this.#read = read;
  }

  readonly board = (): Board => this.#board;
  readonly failure = (): unknown => this.#failure;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Also when the connection was gone: cards that changed meanwhile are not told again. */
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
    const cursor = isFirst ? null : this.#board.columns[column].next;
    const heard: RunCard[] = [];
    this.#meanwhile.add(heard);
    try {
      const page = await this.#read({ ...this.#search, column, ...(cursor === null ? {} : { cursor }) });
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
    for (const listener of this.#listeners) listener();
  }
}
