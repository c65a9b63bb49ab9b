/** A store that others watch: they are called whenever it has changed. */
export abstract class Watched {
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  protected notify(): void {
    for (const listener of this.#listeners) listener();
  }
}
