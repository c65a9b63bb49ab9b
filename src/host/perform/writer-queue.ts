/** Runs work one after the other, in order of arrival. Work that is stopped while it waits never starts, and delays no other. */
export class WriterQueue {
  #last: Promise<void> = Promise.resolve();
  #taken = 0;

  get isFree(): boolean {
    return this.#taken === 0;
  }

  async take<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    this.#taken += 1;
    try {
      await firstOf(before, signal);
    } catch (error) {
      // Later work still waits for earlier work.
      void before.then(resolve);
      this.#taken -= 1;
      throw error;
    }
    try {
      return await work();
    } finally {
      this.#taken -= 1;
      resolve();
    }
  }
}

async function firstOf(before: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    await Promise.race([before, promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
  signal.throwIfAborted();
}
