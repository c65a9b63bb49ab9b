import type { RunId } from '../core/model/ids.ts';
import type { ChangeListener } from './port.ts';

/** Listeners for new records. Each is called once for everything written together, after it was written. */
export class ChangeListeners {
  readonly #listeners = new Set<ChangeListener>();
  /** Changes to report; null: unknown runs; undefined: none. */
  #changed: Set<RunId> | null | undefined;

  get isEmpty(): boolean {
    return this.#listeners.size === 0;
  }

  add(listener: ChangeListener): () => void {
    // The same function may listen twice; each subscription ends separately.
    const subscription: ChangeListener = (changed) => listener(changed);
    this.#listeners.add(subscription);
    return () => {
      this.#listeners.delete(subscription);
    };
  }

  clear(): void {
    this.#listeners.clear();
  }

  announce(runs: Iterable<RunId> | null): void {
    if (this.isEmpty) return;
    if (this.#changed === undefined) {
      this.#changed = new Set();
      queueMicrotask(() => this.#tell());
    }
    if (runs === null) this.#changed = null;
    else for (const run of runs) this.#changed?.add(run);
  }

  #tell(): void {
    const changed = this.#changed ?? null;
    this.#changed = undefined;
    for (const listener of this.#listeners) listener(changed);
  }
}
