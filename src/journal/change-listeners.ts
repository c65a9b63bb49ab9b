/** Who wants to know that the journal grew. Told once for everything written in one go, after it was written. */
export class ChangeListeners {
  readonly #listeners = new Set<() => void>();
  #isAnnounced = false;

  get isEmpty(): boolean {
    return this.#listeners.size === 0;
  }

  add(listener: () => void): () => void {
    // The same function may listen twice; each subscription ends by itself.
    const subscription = (): void => listener();
    this.#listeners.add(subscription);
    return () => {
      this.#listeners.delete(subscription);
    };
  }

  clear(): void {
    this.#listeners.clear();
  }

  announce(): void {
    if (this.#isAnnounced || this.isEmpty) return;
    this.#isAnnounced = true;
    queueMicrotask(() => {
      this.#isAnnounced = false;
      for (const listener of this.#listeners) listener();
    });
  }
}
