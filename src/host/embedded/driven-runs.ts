import { isRunWithin, rootRunId, type RunId } from '../../core/model/ids.ts';
import type { Snapshot } from '../../core/fold/snapshot.ts';
import type { Driver } from './driver.ts';

/**
 * The drivers of this process. A run that it was asked to drive comes and goes separately, even if the run above it is
 * driven here too: a unit has its own entry in the queue. All other child runs are driven together with the run above them.
 */
export class DrivenRuns extends Map<RunId, Driver> {
  readonly #asked = new Set<RunId>();
  /** The runs of each tree, so that the end of one run does not look at all others. */
  readonly #trees = new Map<RunId, Set<RunId>>();

  override set(run: RunId, driver: Driver): this {
    const root = rootRunId(run);
    const tree = this.#trees.get(root) ?? new Set();
    this.#trees.set(root, tree.add(run));
    return super.set(run, driver);
  }

  /** The runs of a tree that are driven here. */
  ofTree(root: RunId): ReadonlySet<RunId> {
    return this.#trees.get(root) ?? NONE;
  }

  /** A run of this tree is driven here. */
  hasTree(root: RunId): boolean {
    return this.#trees.has(root);
  }

  ask(run: RunId): void {
    this.#asked.add(run);
  }

  isAsked(run: RunId): boolean {
    return this.#asked.has(run);
  }

  override delete(run: RunId): boolean {
    this.#asked.delete(run);
    const root = rootRunId(run);
    const tree = this.#trees.get(root);
    tree?.delete(run);
    if (tree?.size === 0) this.#trees.delete(root);
    return super.delete(run);
  }

  override clear(): void {
    this.#asked.clear();
    this.#trees.clear();
    super.clear();
  }

  /** The driver of a child that is driven together with the run above it. */
  below(child: RunId): Driver | undefined {
    return this.#asked.has(child) ? undefined : this.get(child);
  }

  above({ run, parent }: Pick<Snapshot, 'run' | 'parent'>): Driver | undefined {
    return parent === null || this.#asked.has(run) ? undefined : this.get(parent);
  }

  /** The run, and those below it that are driven together with it. */
  together(run: RunId): readonly Driver[] {
    const below = [...this.ofTree(rootRunId(run))].filter((one) => isRunWithin(one, run));
    const apart = below.filter((one) => one !== run && this.#asked.has(one));
    return below.flatMap((one) => (apart.some((above) => isRunWithin(one, above)) ? [] : (this.get(one) ?? [])));
  }
}

const NONE: ReadonlySet<RunId> = new Set();
