import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { rootRunId, type RunId } from '../../core/model/ids.ts';
import type { TakenResult } from '../../core/look/result-state.ts';
import type { Snapshot } from '../../core/fold/snapshot.ts';
import type { Journal, RunInfo } from '../../journal/port.ts';
import { cardOf, type CardSource } from '../../protocol/web/card-of.ts';
import { cardDetails, foldCard } from '../../protocol/web/fold-card.ts';
import type { CardDetails, RunCard } from '../../protocol/web/run-card.ts';
import { takenResults } from '../../app/results/with-git.ts';
import { readPieces } from '../../app/views/read-pieces.ts';
import type { OfferingWorker } from '../../app/workers/needs.ts';
import { queuedRun } from '../../app/workers/queued-run.ts';
import type { ChangedRuns, RunIndex } from './run-index.ts';

/**
 * The cards of all runs. What the list tells is there at once; the rest takes a fold, which is done for one run after the other,
 * in pieces between which everybody else has a turn, and continues later from where it was.
 */
export class CardDesk {
  readonly #journal: Pick<Journal, 'read'>;
  readonly #index: RunIndex;
  readonly #trees = new Map<RunId, FoldedTree>();
  /** Wanted now, and wanted when there is nothing else to do. */
  readonly #soon = new Set<RunId>();
  readonly #later = new Set<RunId>();
  readonly #listeners = new Set<(root: RunId) => void>();
  #isWorking = false;
  #lastCheck = Promise.resolve();
  #nextCheck: Promise<void> | null = null;
  #hasNewBranch = false;
  readonly #taken = new Map<RunId, Taken>();
  readonly #listWorkers: ListWorkers | null;
  /** Null where this machine is alone, and until they were listed. */
  #workers: readonly OfferingWorker[] | null = null;
  /** Why roots were queued when that was last checked. */
  #queued: ReadonlyMap<RunId, string | undefined> = new Map();

  constructor(journal: Pick<Journal, 'read'>, index: RunIndex, workers: ListWorkers | null = null) {
    this.#journal = journal;
    this.#index = index;
    this.#listWorkers = workers;
    index.onChange((changed) => this.#changed(changed));
  }

  /** Calls back when a card has changed. */
  onCard(listener: (root: RunId) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  card(root: RunId): RunCard | null {
    const source = this.#source(root);
    return source === null ? null : cardOf(source);
  }

  /** Whether all that its card shows is as new as the list. */
  #isFresh(root: RunId): boolean {
    return this.#trees.get(root)?.mark === this.#markOf(root);
  }

  /** Another one as soon as any run of the tree has a further record. */
  #markOf(root: RunId): number {
    return this.#index.tree(root).reduce((sum, { seq }) => sum + seq, 0);
  }

  /** Sees to the details of these. */
  want(roots: Iterable<RunId>, when: 'soon' | 'later'): void {
    for (const root of roots) (when === 'soon' ? this.#soon : this.#later).add(root);
    if (!this.#isWorking) void this.#work();
  }

  /** Resolves when all of these are read as they are now, or so much time has gone by: with those that are not. */
  async read(roots: readonly RunId[], withinMs: number): Promise<ReadonlySet<RunId>> {
    const missing = new Set(roots.filter((root) => !this.#isFresh(root)));
    if (missing.size === 0) return missing;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, withinMs);
    const stop = this.onCard((root) => {
      if (this.#isFresh(root)) missing.delete(root);
      if (missing.size === 0) resolve();
    });
    this.want(missing, 'soon');
    await promise;
    clearTimeout(timer);
    stop();
    return missing;
  }

  /**
   * Finds the branches and patches of results that the user merged or deleted, since no record says so. Callers share the next check to begin.
   * A slow git delays no answer for long: the changed cards are reported when it is done.
   */
  async checkBranches(): Promise<void> {
    this.#nextCheck ??= this.#lastCheck.then(async () => {
      this.#nextCheck = null;
      await (this.#lastCheck = this.#askGit());
    });
    await Promise.race([this.#nextCheck, sleep(GIT_MS, undefined, { ref: false })]);
  }

  /** Checks which workers could drive queued runs, since no record says so, and reports the cards that changed by it. */
  async checkWorkers(): Promise<void> {
    if (this.#listWorkers === null) return;
    const workers = await this.#listWorkers();
    const before = this.#queued;
    this.#workers = workers;
    this.#queued = new Map(this.#index.roots().map((info) => [info.run, queuedRun(info, workers).queued?.text]));
    for (const [root, text] of this.#queued) if (before.get(root) !== text) this.#tell(root);
  }

  async #askGit(): Promise<void> {
    const waiting = this.#index.roots().filter(isHanded);
    const taken = await takenResults(waiting);
    for (const info of waiting) this.#noteTaken(info, taken.get(info));
  }

  /** A branch may be delivered again under the same name, so with new records it is a new one. */
  #noteTaken({ run, seq }: RunInfo, how: TakenResult | undefined): void {
    const before = this.#takenOf(run, seq);
    if (how === undefined) this.#taken.delete(run);
    else this.#taken.set(run, { how, seq });
    if (before !== how) this.#tell(run);
  }

  #takenOf(run: RunId, seq: number): TakenResult | undefined {
    const known = this.#taken.get(run);
    return known?.seq === seq ? known.how : undefined;
  }

  #source(root: RunId): CardSource | null {
    const info = this.#index.info(root);
    if (info === undefined) return null;
    const tree = this.#trees.get(root);
    const below = info.status === 'settled' ? [] : this.#index.tree(root).filter((one) => one.status !== 'settled');
    return {
      info: { ...info, ...queuedRun(info, this.#workers) },
      below: below.filter(({ run }) => run !== root),
      details: tree?.details ?? null,
      taken: this.#takenOf(root, info.seq),
      damage: tree?.damage ?? null,
    };
  }

  /** One that was read once is kept up to date; of another only the list has changed. */
  #changed(changed: ChangedRuns): void {
    for (const root of new Set([...changed].map(rootRunId))) {
      if (this.#trees.has(root) || this.#listeners.size > 0) this.want([root], 'soon');
      const info = this.#index.info(root);
      if (info !== undefined && isHanded(info)) this.#hasNewBranch = true;
      this.#tell(root);
    }
  }

  #tell(root: RunId): void {
    for (const listener of this.#listeners) listener(root);
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    for (let root = this.#next(); root !== undefined; root = this.#next()) {
      await turn();
      await this.#readTree(root);
      this.#tell(root);
    }
    this.#isWorking = false;
    if (!this.#hasNewBranch) return;
    this.#hasNewBranch = false;
    await this.checkBranches();
  }

  #next(): RunId | undefined {
    const queue = this.#soon.size > 0 ? this.#soon : this.#later;
    const [first] = queue;
    if (first === undefined) return undefined;
    this.#soon.delete(first);
    this.#later.delete(first);
    return first;
  }

  async #readTree(root: RunId): Promise<void> {
    const mark = this.#markOf(root);
    const tree: FoldedTree = this.#trees.get(root) ?? { ...NOTHING, folds: new Map() };
    this.#trees.delete(root);
    this.#trees.set(root, tree);
    try {
      for (const { run, seq } of this.#index.tree(root)) {
        if ((tree.folds.get(run)?.seq ?? 0) < seq) await this.#foldOn(tree, run);
      }
      const top = tree.folds.get(root);
      tree.damage = null;
      if (top !== undefined) tree.details = cardDetails(tree.folds, top);
    } catch (error) {
      // What could be read of it says nothing about the rest.
      Object.assign(tree, {
        ...NOTHING,
        folds: new Map(),
        damage: error instanceof Error ? error.message : String(error),
      });
    }
    tree.mark = mark;
    this.#forgetOldest();
  }

  async #foldOn(tree: FoldedTree, run: RunId): Promise<void> {
    let fold = tree.folds.get(run) ?? null;
    for await (const records of readPieces(this.#journal, { run, after: fold?.seq ?? 0 })) {
      for (const record of records) fold = foldCard(fold, record);
      if (fold !== null) tree.folds.set(run, fold);
    }
  }

  /** Of runs that are over and were not looked at lately only the result is kept; one that continues is folded again. */
  #forgetOldest(): void {
    if (this.#trees.size <= KEPT_FOLDS) return;
    let over = this.#trees.size - KEPT_FOLDS;
    for (const [root, tree] of this.#trees) {
      if (over <= 0) return;
      over -= 1;
      if (this.#index.info(root)?.status === 'settled') tree.folds = new Map();
    }
  }
}

type ListWorkers = () => Promise<readonly OfferingWorker[]>;

interface FoldedTree {
  folds: Map<string, Snapshot>;
  details: CardDetails | null;
  damage: string | null;
  /** How new the list was when it was read. */
  mark?: number;
}

/** The state of its branch or patch when the run had this many records. */
interface Taken {
  readonly how: TakenResult;
  readonly seq: number;
}

const isHanded = ({ result }: RunInfo): boolean => result?.kind === 'branch' || result?.kind === 'patch';

const NOTHING = { details: null, damage: null } as const;
const GIT_MS = 2000;
const KEPT_FOLDS = 400;
