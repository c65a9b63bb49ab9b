import { Fault } from '../core/model/fault.ts';

export interface TurnstileOptions {
  /** How many may be under way. */
  readonly atOnce: number;
  /** How many may wait for one of them to end. */
  readonly waiting: number;
}

/** Lets so many through at once; a bounded number waits in order, and what comes then is refused at once. SERVER_BUSY. */
export class Turnstile {
  readonly #options: TurnstileOptions;
  readonly #waiting: (() => void)[] = [];
  #underWay = 0;

  constructor(options: TurnstileOptions) {
    this.#options = options;
  }

  async pass<Value>(work: () => Promise<Value>, signal?: AbortSignal): Promise<Value> {
    const leave = await this.enter(signal);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /** The same for what comes in pieces. */
  async *through<Piece>(work: () => AsyncIterable<Piece>): AsyncGenerator<Piece> {
    const leave = await this.enter();
    try {
      yield* work();
    } finally {
      leave();
    }
  }

  /** Returns the way out, which is to be taken once. */
  async enter(signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.#underWay < this.#options.atOnce) this.#underWay += 1;
    else await this.#wait(signal);
    return () => this.#leave();
  }

  /** The place is handed over, so that nobody who comes later takes it. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#underWay -= 1;
    else next();
  }

  async #wait(signal: AbortSignal | undefined): Promise<void> {
    const { atOnce, waiting } = this.#options;
    if (this.#waiting.length >= waiting) throw busy(atOnce, waiting);
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

const busy = (atOnce: number, waiting: number): Fault =>
  new Fault('SERVER_BUSY', `${atOnce} requests are under way and ${waiting} wait for their turn: nothing was done.`, {
    hint: 'Try it again in a moment.',
  });
