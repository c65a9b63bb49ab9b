/**
 * What has to be done to one content to get another, in git's form: both sizes, then pieces to copy from the first and bytes to
 * insert. Finds what a line changed, moved or added leaves equal; no attempt at the smallest possible.
 */
export function encodeDelta(base: Buffer, target: Buffer): Buffer {
  const delta = new DeltaDraft(base.length, target);
  const blocks = new BlockIndex(base);
  let at = 0;
  while (at + BLOCK <= target.length) {
    const match = blocks.longest(target, at, delta.pendingFrom);
    if (match === null) {
      at += 1;
      continue;
    }
    delta.copy(match);
    at = match.at + match.length;
    blocks.forgetRolling();
  }
  return delta.finish();
}

/** The content again; null for a delta that is damaged or belongs to another content. */
export function applyDelta(base: Buffer, delta: Buffer): Buffer | null {
  const reader = new DeltaReader(delta);
  if (reader.size() !== base.length) return null;
  const target = Buffer.alloc(reader.size());
  let end = 0;
  for (let piece = reader.next(); piece !== null; piece = reader.next()) {
    const source = 'insert' in piece ? piece.insert : base.subarray(piece.offset, piece.offset + piece.length);
    if (source.length !== piece.length || end + piece.length > target.length) return null;
    end += source.copy(target, end);
  }
  return end === target.length ? target : null;
}

/** Equal bytes: so many, from here in the base and from there in the target. */
interface Match {
  readonly offset: number;
  readonly at: number;
  readonly length: number;
}

const BLOCK = 16;
/** Content that repeats itself has many equal blocks; so many of them are tried. */
const MOST_TRIES = 32;
const NONE = -1;

/** Every sixteenth byte of the base begins a block that can be found by a rolling sum. */
class BlockIndex {
  readonly #base: Buffer;
  readonly #newest = new Map<number, number>();
  readonly #older: Int32Array;
  #sum = 0;
  /** Where the sum begins; NaN where there is none. */
  #summed = NaN;

  constructor(base: Buffer) {
    this.#base = base;
    const blocks = Math.floor(base.length / BLOCK);
    this.#older = new Int32Array(blocks);
    // Backwards, so that the first of equal blocks is tried first.
    for (let block = blocks - 1; block >= 0; block -= 1) {
      const sum = sumAt(base, block * BLOCK);
      this.#older[block] = this.#newest.get(sum) ?? NONE;
      this.#newest.set(sum, block);
    }
  }

  forgetRolling(): void {
    this.#summed = NaN;
  }

  /** The longest found for what begins here; it may begin before, where nothing has been copied yet. */
  longest(target: Buffer, at: number, from: number): Match | null {
    let best: Match | null = null;
    let block = this.#newest.get(this.#roll(target, at)) ?? NONE;
    for (let tries = 0; block !== NONE && tries < MOST_TRIES; tries += 1) {
      const match = this.#extended(target, { offset: block * BLOCK, at }, from);
      if (match.length >= BLOCK && match.length > (best?.length ?? 0)) best = match;
      block = this.#older[block] ?? NONE;
    }
    return best;
  }

  #roll(target: Buffer, at: number): number {
    this.#sum =
      this.#summed === at - 1
        ? (Math.imul(this.#sum - Math.imul(target[at - 1] ?? 0, OUTGOING), FACTOR) + (target[at + BLOCK - 1] ?? 0)) | 0
        : sumAt(target, at);
    this.#summed = at;
    return this.#sum;
  }

  #extended(target: Buffer, start: Omit<Match, 'length'>, from: number): Match {
    const base = this.#base;
    let { offset, at } = start;
    let length = 0;
    while (
      offset + length < base.length &&
      at + length < target.length &&
      base[offset + length] === target[at + length]
    )
      length += 1;
    while (length > 0 && offset > 0 && at > from && base[offset - 1] === target[at - 1]) {
      offset -= 1;
      at -= 1;
      length += 1;
    }
    return { offset, at, length };
  }
}

const FACTOR = 0x01000193;
/** The factor of the oldest byte in a sum. */
const OUTGOING = Array.from({ length: BLOCK - 1 }, () => FACTOR).reduce(
  (product, factor) => Math.imul(product, factor),
  1,
);

function sumAt(bytes: Buffer, at: number): number {
  let sum = 0;
  for (let place = at; place < at + BLOCK; place += 1) sum = (Math.imul(sum, FACTOR) + (bytes[place] ?? 0)) | 0;
  return sum;
}

const MOST_COPIED = 0xffffff;
const MOST_INSERTED = 0x7f;

class DeltaDraft {
  readonly #target: Buffer;
  readonly #parts: Buffer[];
  /** Of the target, what comes before is in the delta. */
  pendingFrom = 0;

  constructor(baseSize: number, target: Buffer) {
    this.#target = target;
    this.#parts = [sizeBytes(baseSize), sizeBytes(target.length)];
  }

  copy({ offset, at, length }: Match): void {
    this.#insertUpTo(at);
    for (let done = 0; done < length; done += MOST_COPIED) {
      this.#parts.push(copyBytes(offset + done, Math.min(MOST_COPIED, length - done)));
    }
    this.pendingFrom = at + length;
  }

  finish(): Buffer {
    this.#insertUpTo(this.#target.length);
    return Buffer.concat(this.#parts);
  }

  #insertUpTo(end: number): void {
    for (let at = this.pendingFrom; at < end; at += MOST_INSERTED) {
      const piece = this.#target.subarray(at, Math.min(end, at + MOST_INSERTED));
      this.#parts.push(Buffer.from([piece.length]), piece);
    }
  }
}

/** Seven bits a byte, the lowest first. */
function sizeBytes(size: number): Buffer {
  const bytes: number[] = [];
  let rest = size;
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) bytes.push((rest & 0x7f) | 0x80);
  return Buffer.from([...bytes, rest]);
}

/** The first byte says which bytes of offset and length follow; those that are zero do not. */
function copyBytes(offset: number, length: number): Buffer {
  const bytes = [0x80];
  const numbers = [offset, offset >>> 8, offset >>> 16, offset >>> 24, length, length >>> 8, length >>> 16];
  for (const [bit, number] of numbers.entries()) {
    if ((number & 0xff) === 0) continue;
    bytes[0] = (bytes[0] ?? 0) | (1 << bit);
    bytes.push(number & 0xff);
  }
  return Buffer.from(bytes);
}

type Piece =
  | { readonly offset: number; readonly length: number }
  | { readonly insert: Buffer; readonly length: number };

class DeltaReader {
  readonly #delta: Buffer;
  #at = 0;

  constructor(delta: Buffer) {
    this.#delta = delta;
  }

  size(): number {
    let size = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.#byte();
      size += (byte & 0x7f) * scale;
      if ((byte & 0x80) === 0) return size;
    }
  }

  next(): Piece | null {
    if (this.#at >= this.#delta.length) return null;
    const first = this.#byte();
    if ((first & 0x80) === 0) {
      const insert = this.#delta.subarray(this.#at, this.#at + first);
      this.#at += first;
      // No length is reserved: it fits nowhere, so the delta is refused.
      return { insert, length: first === 0 ? Infinity : first };
    }
    const [a, b, c, d, e, f, g] = [0, 1, 2, 3, 4, 5, 6].map((bit) => ((first & (1 << bit)) === 0 ? 0 : this.#byte()));
    const length = number(e, f, g, 0);
    return { offset: number(a, b, c, d), length: length === 0 ? 0x10000 : length };
  }

  #byte(): number {
    this.#at += 1;
    return this.#delta[this.#at - 1] ?? 0;
  }
}

const number = (...bytes: readonly (number | undefined)[]): number =>
  bytes.reduce<number>((sum, byte, place) => sum + (byte ?? 0) * 256 ** place, 0);
