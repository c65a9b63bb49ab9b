import type { JournalRecord } from '../../core/fact.ts';
import type { RunId } from '../../core/ids.ts';
import type { Journal, RunInfo } from '../../journal/port.ts';
import { TreeLinks, TreeOrder, type LinkedRecord, type PlacedRecord } from '../../protocol/history/tree-order.ts';

export type TreeJournal = Pick<Journal, 'read' | 'run' | 'runs'>;

/** A record of a run or of one below it. */
export interface ReadRecord extends PlacedRecord {
  /** It belongs to the run that this one was forked from: known here, but not done here. */
  readonly isInherited: boolean;
}

interface Found extends LinkedRecord {
  readonly isInherited: boolean;
}

/** Reads a run and all runs below it, and reads on as they grow: each record once, in the order in which it happened. */
export class TreeReader {
  readonly #journal: TreeJournal;
  readonly #reached: Map<RunId, number>;
  readonly #links = new TreeLinks();
  readonly #order = new TreeOrder();

  constructor(journal: TreeJournal, root: RunId) {
    this.#journal = journal;
    this.#reached = new Map([[root, 0]]);
  }

  /** What was written since the last time, by any process; only of these runs where some are named. */
  async readOn(runs: Iterable<RunId> = this.#reached.keys()): Promise<readonly ReadRecord[]> {
    const found: Found[] = [];
    // The iteration also sees the runs below that are added on the way.
    for (const run of runs) {
      const reached = this.#reached.get(run) ?? 0;
      const info = await this.#journal.run(run);
      if (info !== undefined && info.seq > reached) this.#add(run, await this.#journal.read(run, reached), found);
    }
    return this.#order.take(found);
  }

  /** The same where the records are at hand already; what is missing between is read. */
  async take(news: readonly { readonly run: RunId; readonly record: JournalRecord }[]): Promise<readonly ReadRecord[]> {
    const found: Found[] = [];
    for (const { run, record } of news) {
      const reached = this.#reached.get(run) ?? 0;
      if (record.seq <= reached) continue;
      const isNext = record.seq === reached + 1 && reached > 0;
      this.#add(run, isNext ? [record] : await this.#journal.read(run, reached), found);
    }
    return this.#order.take(found);
  }

  /** A fork is written whole when it is made, so the first look sees where its own history begins. */
  #add(run: RunId, records: readonly JournalRecord[], found: Found[]): void {
    const isFirst = (this.#reached.get(run) ?? 0) === 0;
    const own = isFirst ? records.findLastIndex(({ fact }) => fact.kind === 'run.forked') : -1;
    for (const [index, record] of records.entries()) {
      const linked = this.#links.of(run, record);
      found.push({ ...linked, isInherited: index < own });
      this.#reached.set(run, record.seq);
      for (const child of linked.starts) if (!this.#reached.has(child)) this.#reached.set(child, 0);
    }
  }
}

/** A run and all below it, those above before those below. */
export async function runsBelow(journal: Pick<Journal, 'run' | 'runs'>, root: RunId): Promise<readonly RunInfo[]> {
  const info = await journal.run(root);
  const tree = info === undefined ? [] : [info];
  for (const { run } of tree) tree.push(...(await journal.runs({ parent: run })));
  return tree;
}
