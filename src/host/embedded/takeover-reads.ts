import { rootRunId, type RunId } from '../../core/model/ids.ts';
import { InTurn } from '../../lib/in-turn.ts';
import type { Journal, StoredRecord, TreeRecord } from '../../journal/port.ts';

/**
 * A journal that caches the records of a tree while one of its runs is taken over, because several parts read the same ones.
 * Each read adds newer records, so callers never get less than the journal holds.
 */
export class TakeoverReads {
  readonly journal: Journal;
  readonly #source: Journal;
  readonly #trees = new Map<RunId, KeptTree>();

  constructor(source: Journal) {
    this.#source = source;
    this.journal = {
      ...source,
      read: (run, after, limit) => this.#treeOf(run, after, limit)?.read(run) ?? source.read(run, after, limit),
      tree: (root, after, limit) => this.#treeOf(root, after, limit)?.all() ?? source.tree(root, after, limit),
    };
  }

  async during<Value>(run: RunId, work: () => Promise<Value>): Promise<Value> {
    const root = rootRunId(run);
    const isMine = !this.#trees.has(root);
    if (isMine) this.#trees.set(root, new KeptTree(this.#source, root));
    try {
      return await work();
    } finally {
      if (isMine) this.#trees.delete(root);
    }
  }

  #treeOf(run: RunId, after: number | undefined, limit: number | undefined): KeptTree | undefined {
    return after === undefined && limit === undefined ? this.#trees.get(rootRunId(run)) : undefined;
  }
}

class KeptTree {
  readonly #source: Journal;
  readonly #root: RunId;
  /** One after the other: two at once would treat the same records as new. */
  readonly #turns = new InTurn();
  readonly #runs = new Map<RunId, readonly StoredRecord[]>();
  #tree: readonly TreeRecord[] = [];
  /** Those of the root, while it is the only run of its tree. */
  #own: readonly TreeRecord[] = [];

  constructor(source: Journal, root: RunId) {
    this.#source = source;
    this.#root = root;
  }

  read(run: RunId): Promise<readonly StoredRecord[]> {
    return this.#turns.run(run, async () => {
      const known = this.#runs.get(run) ?? [];
      const newer = await this.#source.read(run, known.at(-1)?.seq);
      const records = newer.length === 0 ? known : [...known, ...newer];
      this.#runs.set(run, records);
      return records;
    });
  }

  /** Unless more of it is known. */
  #learn(run: RunId, records: readonly StoredRecord[]): void {
    if (records.length > (this.#runs.get(run)?.length ?? 0)) this.#runs.set(run, records);
  }

  /** Made once as long as nothing new is read. */
  #alone(records: readonly StoredRecord[]): readonly TreeRecord[] {
    if (this.#own.length !== records.length) this.#own = records.map((record) => ({ ...record, run: this.#root }));
    return this.#own;
  }

  async all(): Promise<readonly TreeRecord[]> {
    const runs = await this.#source.runs({ root: this.#root });
    // The records of a run without others below it are those of its tree.
    if (runs.length === 1) return this.#alone(await this.read(this.#root));
    return await this.#turns.run('', async () => {
      const isFirst = this.#tree.length === 0;
      const newer = await this.#source.tree(this.#root, this.#tree.at(-1)?.commit);
      if (newer.length > 0) this.#tree = [...this.#tree, ...newer];
      if (isFirst) for (const [run, records] of Map.groupBy(newer, (record) => record.run)) this.#learn(run, records);
      return this.#tree;
    });
  }
}
