import { isRunWithin, rootRunId, type RunId } from '../../core/model/ids.ts';
import type { Snapshot } from '../../core/fold/snapshot.ts';
import type { Driver } from './driver.ts';

/**
 * The drivers of this process. A run that it was asked to drive comes and goes separately, even if the run above it is
 * driven here too: a unit has its own entry in the queue. All other child runs are driven together with the run above them.
 */
export class DrivenRuns extends Map<RunId, Driver> {
  readonly #asked = new Set<RunId>();
  /** How many runs of each tree there are, by its root: a thousand runs that end would otherwise look at each other. */
  #inTree = new Map<RunId, number>();

  override set(run: RunId, driver: Driver): this {
    if (!this.has(run)) this.#count(run, 1);
    return super.set(run, driver);
  }

  #count(run: RunId, change: number): void {
    const root = rootRunId(run);
    const count = (this.#inTree.get(root) ?? 0) + change;
    if (count > 0) this.#inTree.set(root, count);
    else this.#inTree.delete(root);
  }

  /** A run of this tree is driven here. */
  hasTree(root: RunId): boolean {
    return this.#inTree.has(root);
  }

  ask(run: RunId): void {
    this.#asked.add(run);
  }

  isAsked(run: RunId): boolean {
    return this.#asked.has(run);
  }

  override delete(run: RunId): boolean {
    this.#asked.delete(run);
    const wasThere = super.delete(run);
    if (wasThere) this.#count(run, -1);
    return wasThere;
  }

  override clear(): void {
    this.#asked.clear();
    this.#inTree.clear();
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
    const apart = [...this.#asked].filter((one) => one !== run && isRunWithin(one, run));
    return [...this.values()].filter(
      (driver) => isRunWithin(driver.run, run) && !apart.some((one) => isRunWithin(driver.run, one)),
    );
  }
}
