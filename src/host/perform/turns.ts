/** One after the other, in the order they came. Whoever is told to stop while waiting never starts, and keeps nobody waiting. */
export class Turns {
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
      // Those behind still wait for those in front.
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
