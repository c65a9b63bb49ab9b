/**
 * Decisions read off a list of bytes. A random list makes a random machine, and a list that fast-check shrinks makes a
 * simpler one: nothing left to read means 0, and 0 is always the plainest choice.
 */
export class Choices {
  readonly #bytes: ArrayLike<number>;
  #at = 0;

  constructor(bytes: ArrayLike<number>) {
    this.#bytes = bytes;
  }

  get isSpent(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** A whole number from 0 up to, not including, `count`. */
  below(count: number): number {
    const byte = this.#bytes[this.#at] ?? 0;
    this.#at += 1;
    return byte % count;
  }

  /** True once in so many times. */
  oneIn(count: number): boolean {
    return this.below(count) === count - 1;
  }

  pick<T>(list: readonly [T, ...T[]]): T {
    return list[this.below(list.length)] ?? list[0];
  }

  /** From none to `most` things. */
  list<T>(most: number, make: (index: number) => T): T[] {
    return Array.from({ length: this.below(most + 1) }, (_, index) => make(index));
  }
}
