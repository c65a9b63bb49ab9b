/** Runs work one after the other for equal keys; different keys do not wait for each other. */
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

  /** Resolves when no work is in progress. */
  async settle(): Promise<void> {
    while (this.#last.size > 0) await Promise.all(this.#last.values());
  }
}
/** Lets a limited number through at once; the others wait in order. */
export class Turnstile {
  readonly #atOnce: number;
  readonly #waiting: (() => void)[] = [];
  #underWay = 0;

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  /** How many wait. */
  get queued(): number {
    return this.#waiting.length;
  }

  get isFull(): boolean {
    return this.#underWay >= this.#atOnce;
  }

  async pass<Value>(work: () => Promise<Value>, signal?: AbortSignal): Promise<Value> {
    const leave = await this.enter(signal);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /** The same for a stream. */
  async *through<Piece>(work: () => AsyncIterable<Piece>): AsyncGenerator<Piece> {
    const leave = await this.enter();
    try {
      yield* work();
    } finally {
      leave();
    }
  }

  /** Returns the function that leaves. */
  async enter(signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.isFull) await this.#wait(signal);
    else this.#underWay += 1;
    let isInside = true;
    return () => {
      if (isInside) this.#leave();
      isInside = false;
    };
  }

  /** Hands the place to the first in the queue, so that a later arrival cannot take it. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#underWay -= 1;
    else next();
  }

  async #wait(signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const giveUp = (): void => {
      const place = this.#waiting.indexOf(resolve);
      if (place < 0) return;
      this.#waiting.splice(place, 1);
      reject(signal?.reason as Error);
    };
    this.#waiting.push(resolve);
    signal?.addEventListener('abort', giveUp, { once: true });
    await promise.finally(() => signal?.removeEventListener('abort', giveUp));
  }
}
