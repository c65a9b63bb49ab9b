/**
 * Shares the event loop. A thousand runs whose models answer at the same moment would otherwise hold it for as long as all of
 * them need, and timers, sockets and the page would wait.
 */
export class LoopTurn {
  readonly #longMs: number;
  #began: number | null = null;

  constructor(longMs: number) {
    this.#longMs = longMs;
  }

  /** Undefined while the present turn of the event loop is young; else resolves in a later one, in the order of calls unless one took long in between. */
  readonly pause = (): Promise<void> | undefined =>
    this.#isLong() ? new Promise((resolve) => this.#wait(resolve)) : undefined;

  #wait(goOn: () => void): void {
    setImmediate(() => {
      if (this.#isLong()) this.#wait(goOn);
      else goOn();
    });
  }

  #isLong(): boolean {
    const now = performance.now();
    if (this.#began === null) {
      this.#began = now;
      setImmediate(() => (this.#began = null));
    }
    return now - this.#began >= this.#longMs;
  }
}
