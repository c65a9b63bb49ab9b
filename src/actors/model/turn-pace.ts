/**
 * Lets so many through in one turn of the event loop; the others follow in order, in the next turns. What is begun at the same
 * moment is also done at the same moment, again and again: thousands of answers would hold up everything else for as long.
 */
export class TurnPace {
  readonly #atOnce: number;
  #left: number;
  #waiting: (() => void)[] = [];

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
    this.#left = atOnce;
  }

  /** Undefined where there is nothing to wait for. */
  enter(): Promise<void> | undefined {
    if (this.#left === 0) return new Promise((resolve) => this.#waiting.push(resolve));
    if (this.#left === this.#atOnce) setImmediate(this.#nextTurn);
    this.#left -= 1;
    return undefined;
  }

  readonly #nextTurn = (): void => {
    const next = this.#waiting.slice(0, this.#atOnce);
    this.#waiting = this.#waiting.slice(this.#atOnce);
    this.#left = this.#atOnce - next.length;
    if (next.length > 0) setImmediate(this.#nextTurn);
    for (const go of next) go();
  };
}
