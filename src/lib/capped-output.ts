/** Keeps the beginning and the end of a stream, and counts the bytes dropped in between. Memory stays bounded. */
export class CappedOutput {
  readonly #headBytes: number;
  readonly #tailBytes: number;
  readonly #head: Buffer[] = [];
  #tail: Buffer[] = [];
  #headLength = 0;
  #tailLength = 0;
  #total = 0;

  constructor(maxBytes: number) {
    this.#headBytes = Math.ceil(maxBytes / 2);
    this.#tailBytes = Math.floor(maxBytes / 2);
  }

  get totalBytes(): number {
    return this.#total;
  }

  get droppedBytes(): number {
    return Math.max(0, this.#total - this.#headBytes - this.#tailBytes);
  }

  push(chunk: Buffer): void {
    this.#total += chunk.length;
    const free = this.#headBytes - this.#headLength;
    const head = chunk.subarray(0, free);
    if (head.length > 0) {
      this.#head.push(head);
      this.#headLength += head.length;
    }
    if (chunk.length > head.length) this.#pushTail(chunk.subarray(head.length));
  }

  bytes(): Buffer {
    return Buffer.concat([...this.#head, this.#endOfTail()]);
  }

  /** As text; a line says how much was left out. */
  text(): string {
    if (this.droppedBytes === 0) return this.bytes().toString('utf8');
    const head = withoutCutEnd(Buffer.concat(this.#head));
    const tail = withoutCutStart(this.#endOfTail());
    return `${head.toString('utf8')}\n[… ${this.droppedBytes} bytes left out …]\n${tail.toString('utf8')}`;
  }

  #pushTail(chunk: Buffer): void {
    this.#tail.push(chunk);
    this.#tailLength += chunk.length;
    // Joined occasionally rather than for each chunk, so that many small chunks cost linear time.
    if (this.#tailLength > 2 * this.#tailBytes + MIN_SLACK) {
      const kept = this.#endOfTail();
      this.#tail = [kept];
      this.#tailLength = kept.length;
    }
  }

  #endOfTail(): Buffer {
    const all = Buffer.concat(this.#tail);
    return Buffer.from(all.subarray(Math.max(0, all.length - this.#tailBytes)));
  }
}

const MIN_SLACK = 65_536;

/** A cut may have gone through a character: its first bytes are dropped at the end of the head … */
function withoutCutEnd(bytes: Buffer): Buffer {
  let start = bytes.length - 1;
  while (start >= 0 && bytes.length - start < 4 && isContinuation(bytes[start])) start -= 1;
  const lead = bytes[start];
  if (lead === undefined || start + lengthOf(lead) <= bytes.length) return bytes;
  return bytes.subarray(0, start);
}

/** … and its last bytes at the start of the tail. */
function withoutCutStart(bytes: Buffer): Buffer {
  let start = 0;
  while (start < 3 && isContinuation(bytes[start])) start += 1;
  return bytes.subarray(start);
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function lengthOf(lead: number): number {
  if (lead >= 0xf0) return 4;
  if (lead >= 0xe0) return 3;
  return lead >= 0xc0 ? 2 : 1;
}
