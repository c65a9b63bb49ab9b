import { inTreeOrder } from '../../src/protocol/history/tree-order.ts';
import type { PageRecord } from '../../src/protocol/web/record-page.ts';
import type { RunTree } from './run-tree.ts';

/** The records of a tree in the order in which they happened, and the place of each in it. */
export interface TreeLines {
  readonly lines: readonly PageRecord[];
  readonly placeOf: (run: string, seq: number) => number;
}

/** Appends new lines, and sorts again only when one belongs in between. */
export function treeLines({ root, runs }: Pick<RunTree, 'root' | 'runs'>): TreeLines {
  const known = SEEN.get(runs);
  if (known !== undefined) return known;
  const lines = runs.get(root)?.lines ?? NO_LINES;
  const ordering = FOLDS.get(lines) ?? new Ordering();
  const now = ordering.add(runs) ? ordering : new Ordering();
  if (now !== ordering) now.add(runs);
  FOLDS.set(lines, now);
  const view = now.view;
  SEEN.set(runs, view);
  return view;
}

const NO_LINES: readonly PageRecord[] = [];
const SEEN = new WeakMap<RunTree['runs'], TreeLines>();
const FOLDS = new WeakMap<readonly PageRecord[], Ordering>();

class Ordering {
  readonly #counts = new Map<string, number>();
  readonly #lines: PageRecord[] = [];
  readonly #places = new Map<string, number[]>();

  /** False where new records belong between those that are there, or some are not there any more. */
  add(runs: RunTree['runs']): boolean {
    const news = [...runs.values()].flatMap(({ run, lines, count }) => {
      const known = this.#counts.get(run) ?? 0;
      this.#counts.set(run, count);
      return lines.slice(known, count);
    });
    const last = this.#lines.at(-1);
    const inOrder = inTreeOrder(last === undefined ? news : [last, ...news]);
    for (const line of inOrder) if (line !== last) this.#push(line);
    const count = [...runs.values()].reduce((sum, run) => sum + run.count, 0);
    return (last === undefined || inOrder[0] === last) && count === this.#lines.length;
  }

  get view(): TreeLines {
    const places = this.#places;
    return { lines: [...this.#lines], placeOf: (run, seq) => places.get(run)?.[seq - 1] ?? 0 };
  }

  #push(line: PageRecord): void {
    const places = this.#places.get(line.run) ?? [];
    this.#places.set(line.run, places);
    places.push(this.#lines.push(line) - 1);
  }
}
