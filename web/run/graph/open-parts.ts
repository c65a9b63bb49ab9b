import { useCallback, useSyncExternalStore } from 'react';

/** What of a run's picture is unfolded: the graph and the outline show the same. Kept while the page is open, by run. */
class OpenParts {
  readonly #byRun = new Map<string, readonly string[]>();
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Null: nobody has chosen anything yet. */
  get(run: string): readonly string[] | null {
    return this.#byRun.get(run) ?? null;
  }

  set(run: string, open: readonly string[]): void {
    this.#byRun.set(run, open);
    for (const listener of this.#listeners) listener();
  }
}

const parts = new OpenParts();

export function useOpenParts(run: string): readonly [readonly string[] | null, (open: readonly string[]) => void] {
  const open = useSyncExternalStore(parts.subscribe, () => parts.get(run));
  return [open, useCallback((next) => parts.set(run, next), [run])];
}
