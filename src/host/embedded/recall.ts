import { rootRunId, type RunId } from '../../core/model/ids.ts';
import { InTurn } from '../../lib/in-turn.ts';
import type { Journal, StoredRecord, TreeRecord } from '../../journal/port.ts';

/**
 * A journal that remembers what it read of a tree while one of its runs is taken over: several parts ask for the same records then.
 * Each time it reads what was written since, so nobody gets less than the journal holds.
 */
export class Recall {
  readonly journal: Journal;
  readonly #source: Journal;
  readonly #trees = new Map<RunId, RecalledTree>();

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
    if (isMine) this.#trees.set(root, new RecalledTree(this.#source, root));
    try {
      return await work();
    } finally {
      if (isMine) this.#trees.delete(root);
    }
  }

  #treeOf(run: RunId, after: number | undefined, limit: number | undefined): RecalledTree | undefined {
    return after === undefined && limit === undefined ? this.#trees.get(rootRunId(run)) : undefined;
  }
}

class RecalledTree {
  readonly #source: Journal;
  readonly #root: RunId;
  readonly #turns = new InTurn();
  #records: readonly TreeRecord[] = [];
  #commit = 0;

  constructor(source: Journal, root: RunId) {
    this.#source = source;
    this.#root = root;
  }

  /** One after the other: two at once would take the same records for new. */
  all(): Promise<readonly TreeRecord[]> {
    return this.#turns.run('', async () => {
      const newer = await this.#source.tree(this.#root, this.#commit);
      if (newer.length > 0) this.#records = [...this.#records, ...newer];
      for (const { commit } of newer) this.#commit = Math.max(this.#commit, commit);
      return this.#records;
    });
  }

  async read(run: RunId): Promise<readonly StoredRecord[]> {
    const mine = (await this.all()).filter((record) => record.run === run);
    return mine.length > 0 ? mine : await this.#source.read(run);
  }
}
