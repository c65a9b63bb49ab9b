import { StringDecoder } from 'node:string_decoder';

/** A line as a program wrote it, without its end. `isCut`: it was longer than any line should be; this is its beginning. */
export interface Line {
  readonly text: string;
  readonly isCut: boolean;
}

/**
 * Splits a program's output into lines, wherever it was cut: in a line, in a character, between CR and LF. Memory stays bounded: only
 * the beginning of an endless line is kept.
 */
export class LineSplitter {
  readonly #maxLength: number;
  readonly #decoder = new StringDecoder('utf8');
  #parts: string[] = [];
  #length = 0;
  #isCut = false;

  constructor(maxLength = LONGEST_LINE) {
    this.#maxLength = maxLength;
  }

  push(chunk: Buffer): readonly Line[] {
    return this.#take(this.#decoder.write(chunk));
  }

  /** The rest without a line end. */
  end(): readonly Line[] {
    const lines = this.#take(this.#decoder.end());
    return this.#length === 0 ? lines : [...lines, ...this.#finish()];
  }

  #take(text: string): readonly Line[] {
    const lines: Line[] = [];
    let from = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
      this.#add(text.slice(from, end));
      lines.push(...this.#finish());
      from = end + 1;
    }
    this.#add(text.slice(from));
    return lines;
  }

  #add(part: string): void {
    const kept = part.slice(0, this.#maxLength - this.#length);
    if (kept.length < part.length) this.#isCut = true;
    if (kept === '') return;
    this.#parts.push(kept);
    this.#length += kept.length;
  }

  /** Drops empty lines. */
  #finish(): readonly Line[] {
    const whole = this.#parts.join('');
    const line = { text: whole.endsWith('\r') ? whole.slice(0, -1) : whole, isCut: this.#isCut };
    this.#parts = [];
    this.#length = 0;
    this.#isCut = false;
    return line.text.trim() === '' ? [] : [line];
  }
}

/** A picture that a tool read fits into a line of this many characters. */
const LONGEST_LINE = 32 * 1024 * 1024;
