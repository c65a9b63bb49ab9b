import type { LiveEvent } from '../port.ts';

/** Watchers of runs. An error of a watcher never harms a run. */
export class Live {
  readonly #listeners = new Set<(event: LiveEvent) => void>();

  add(listener: (event: LiveEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tell(event: LiveEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (error) {
        queueMicrotask(() => process.emitWarning(error instanceof Error ? error : String(error)));
      }
    }
  }
}
