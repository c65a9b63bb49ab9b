import { StringDecoder } from 'node:string_decoder';

/** Finds the `data` of each server-sent event in a stream of bytes. A line that was cut off is left out. */
export class EventStream {
  readonly #onData: (data: string) => void;
  readonly #decoder = new StringDecoder('utf8');
  #data: string[] = [];
  #rest = '';
  #isFirst = true;

  constructor(onData: (data: string) => void) {
    this.#onData = onData;
  }

  take(bytes: Uint8Array): void {
    const text = this.#rest + this.#decoder.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    let from = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
      this.#line(text.slice(from, text[end - 1] === '\r' ? Math.max(from, end - 1) : end));
      from = end + 1;
    }
    this.#rest = text.slice(from);
  }

  /** The stream has ended, perhaps without an empty line behind its last event. */
  end(): void {
    if (this.#data.length > 0) this.#report();
  }

  #line(all: string): void {
    // A byte order mark before the first line is no part of it.
    const line = this.#isFirst ? all.replace(/^\uFEFF/, '') : all;
    this.#isFirst = false;
    if (line.startsWith('data:')) this.#data.push(line.slice(line[5] === ' ' ? 6 : 5));
    else if (line === '' && this.#data.length > 0) this.#report();
  }

  #report(): void {
    const data = this.#data.join('\n');
    this.#data = [];
    this.#onData(data);
  }
}
