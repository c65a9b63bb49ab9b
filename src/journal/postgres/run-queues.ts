import type { RunId } from '../../core/ids.ts';

/** Writes to one run take effect in the order in which they were asked for; writes to different runs do not wait for each other. */
export class RunQueues {
  readonly #last = new Map<RunId, Promise<unknown>>();

  async run<T>(run: RunId, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(run);
    const result = before === undefined ? work() : before.then(work);
    const done = result.then(
      () => undefined,
      () => undefined,
    );
    this.#last.set(run, done);
    try {
      return await result;
    } finally {
      if (this.#last.get(run) === done) this.#last.delete(run);
    }
  }

  /** Resolves when no write is under way. */
  async settle(): Promise<void> {
    while (this.#last.size > 0) await Promise.all(this.#last.values());
  }
}
