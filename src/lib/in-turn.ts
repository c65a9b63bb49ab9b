/** One after the other for equal keys; different keys do not wait for each other. */
export class InTurn {
  readonly #last = new Map<string, Promise<unknown>>();

  async run<T>(key: string, action: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const mine = before === undefined ? action() : before.then(action);
    const settled = mine.then(
      () => undefined,
      () => undefined,
    );
    this.#last.set(key, settled);
    try {
      return await mine;
    } finally {
      if (this.#last.get(key) === settled) this.#last.delete(key);
    }
  }

  /** Resolves when nothing is under way. */
  async settle(): Promise<void> {
    while (this.#last.size > 0) await Promise.all(this.#last.values());
  }
}
