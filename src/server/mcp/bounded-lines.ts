/** In the place of a line that was longer than it may be. */
export const TOO_LONG = Symbol('too long');

const LINE_BREAK = 10;

/** Puts pieces of input together to lines, and never holds more than a line may have. */
export class BoundedLines {
  readonly #most: number;
  #pieces: Buffer[] = [];
  #bytes = 0;
  /** In the middle of one that was given up. */
  #isSkipping = false;

  constructor(most: number) {
    this.#most = most;
  }

  /** The lines that this piece ends, without their breaks. A line is reported as soon as it is too long. */
  *take(piece: Buffer): Generator<Buffer | typeof TOO_LONG> {
    let from = 0;
    for (let at = piece.indexOf(LINE_BREAK); at >= 0; at = piece.indexOf(LINE_BREAK, from)) {
      if (this.#add(piece.subarray(from, at))) yield TOO_LONG;
      if (this.#isSkipping) this.#isSkipping = false;
      else yield this.#line();
      from = at + 1;
    }
    if (this.#add(piece.subarray(from))) yield TOO_LONG;
  }

  /** A line has begun that was not ended. */
  get isInside(): boolean {
    return this.#bytes > 0;
  }

  /** True for what makes a line too long. */
  #add(piece: Buffer): boolean {
    if (this.#isSkipping) return false;
    this.#isSkipping = this.#bytes + piece.length > this.#most;
    if (this.#isSkipping) this.#line();
    else if (piece.length > 0) this.#pieces.push(piece);
    if (!this.#isSkipping) this.#bytes += piece.length;
    return this.#isSkipping;
  }

  #line(): Buffer {
    const line = Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#bytes = 0;
    return line;
  }
}
