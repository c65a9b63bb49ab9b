import { setImmediate as turn } from 'node:timers/promises';
import { Fault } from '../../core/fault.ts';
import { runId, type RunId } from '../../core/ids.ts';
import type { RunInfo } from '../../journal/port.ts';
import type { SearchHit, SearchPage } from '../../protocol/web/search-page.ts';
import { findText, type FoundText } from './find-text.ts';
import { listedText } from './list-runs.ts';
import type { LiveDesk } from './live-desk.ts';
import { readPieces } from '../../app/views/read-pieces.ts';

export interface SearchQuery {
  readonly q: string;
  readonly run?: string;
  readonly limit: number;
}

/** Text search in what the journal holds. One after the other, with everybody else's turn between, and no longer than it may take. */
export class Searches {
  readonly #desk: LiveDesk;
  readonly #mostMs: number;
  #last: Promise<unknown> = Promise.resolve();

  constructor(desk: LiveDesk, mostMs = MOST_MS) {
    this.#desk = desk;
    this.#mostMs = mostMs;
  }

  search(query: SearchQuery, signal: AbortSignal): Promise<SearchPage> {
    const found = this.#last.then(() => this.#search(query, signal));
    this.#last = found.catch(() => undefined);
    return found;
  }

  async #search(query: SearchQuery, signal: AbortSignal): Promise<SearchPage> {
    const { index } = this.#desk;
    await index.survey();
    const gathered = new Gathered(query, { signal, until: performance.now() + this.#mostMs });
    if (query.run === undefined) await this.#searchRuns(index.roots(), gathered);
    else await this.#searchRecords(this.#treeOf(runId(query.run)), gathered);
    return gathered.page();
  }

  #treeOf(run: RunId): readonly RunInfo[] {
    const tree = this.#desk.index.tree(run);
    if (tree.length === 0) throw new Fault('RUN_UNKNOWN', `There is no run "${run}".`);
    return tree;
  }

  async #searchRecords(runs: readonly RunInfo[], gathered: Gathered): Promise<void> {
    for (const { run } of runs) {
      if (gathered.isOver) return;
      for await (const records of readPieces(this.#desk.journal, { run, after: 0 })) {
        for (const { seq, at, fact } of records)
          gathered.add({ run, seq, at, kind: fact.kind }, findText(withoutKind(fact), gathered.needle));
        if (gathered.isOver) return;
      }
      await turn();
    }
  }

  /** In what the list shows of them, and in what came out of them, which stands near the end of their records. */
  async #searchRuns(runs: readonly RunInfo[], gathered: Gathered): Promise<void> {
    for (const info of runs) {
      if (gathered.isOver) return;
      const { run, seq, at } = info;
      const listed = findText(listedText(info), gathered.needle);
      if (listed !== null) gathered.add({ run, seq: null, at, kind: 'run' }, listed);
      else if (info.status === 'settled') await this.#searchOutput(run, seq, gathered);
      await turn();
    }
  }

  async #searchOutput(run: RunId, newest: number, gathered: Gathered): Promise<void> {
    // One damaged run must not hide the others.
    const records = await this.#desk.journal.read(run, Math.max(0, newest - NEAR_END)).catch(() => []);
    const settled = records.findLast(({ fact }) => fact.kind === 'run.settled');
    if (settled?.fact.kind !== 'run.settled') return;
    const { seq, at, fact } = settled;
    const { output, failure } = fact;
    gathered.add({ run, seq, at, kind: fact.kind }, findText({ output, failure }, gathered.needle));
  }
}

const MOST_MS = 10_000;
const NEAR_END = 16;

const withoutKind = <Found extends { readonly kind: string }>({ kind: _kind, ...rest }: Found): Omit<Found, 'kind'> =>
  rest;

class Gathered {
  readonly needle: string;
  readonly #limit: number;
  readonly #signal: AbortSignal;
  readonly #until: number;
  readonly #hits: SearchHit[] = [];
  #count = 0;
  #places = 0;
  #isWhole = true;

  constructor({ q, limit }: SearchQuery, { signal, until }: { readonly signal: AbortSignal; readonly until: number }) {
    this.needle = q;
    this.#limit = limit;
    this.#signal = signal;
    this.#until = until;
  }

  /** Nobody waits for it any more, or it took too long. */
  get isOver(): boolean {
    if (this.#signal.aborted || performance.now() > this.#until) this.#isWhole = false;
    return !this.#isWhole;
  }

  add(where: Pick<SearchHit, 'run' | 'seq' | 'at' | 'kind'>, found: FoundText | null): void {
    if (found === null) return;
    this.#places += 1;
    this.#count += found.count;
    if (this.#hits.length < this.#limit) this.#hits.push({ ...where, ...found });
  }

  page(): SearchPage {
    return {
      query: this.needle,
      hits: this.#hits,
      count: this.#count,
      places: this.#places,
      isWhole: this.#isWhole,
    };
  }
}
