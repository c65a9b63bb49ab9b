import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import { entryHeader } from './entry-header.ts';
import type { ObjectType } from './git-object.ts';

/** Objects gathered in memory until they are written as one pack: two files to make durable instead of one for each object. */
export class PackDraft {
  readonly #parts: Buffer[] = [];
  readonly #entries = new Map<string, PackedEntry>();
  #bytes = PACK_HEADER_BYTES;
  /** Small entries stand one behind the other in here: memory for each of them would take longer than all else. */
  #slab = Buffer.alloc(0);
  #used = 0;

  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#entries.size;
  }

  has(id: string): boolean {
    return this.#entries.has(id);
  }

  add(id: string, type: ObjectType, body: Buffer): void {
    const header = entryHeader(type, body.length);
    const isPlain = (type === 'tree' || this.#entries.size >= TIGHT_OBJECTS) && body.length <= PLAIN_BYTES;
    if (!isPlain) {
      this.addPacked(id, Buffer.concat([header, deflated(body)]));
      return;
    }
    const packed = this.#room(header.length + plainLength(body.length));
    packed.set(header);
    writePlain(body, packed, header.length);
    this.#note(id, packed);
  }

  /** As stored in another pack. */
  addPacked(id: string, packed: Buffer): void {
    if (this.#entries.has(id)) return;
    this.#closeSlab();
    this.#parts.push(packed);
    this.#note(id, packed);
  }

  finish(): FinishedPack {
    this.#closeSlab();
    const content = Buffer.concat([packHeader(this.#entries.size), ...this.#parts]);
    const checksum = createHash('sha1').update(content).digest();
    return {
      checksum: checksum.toString('hex'),
      pack: [content, checksum],
      index: encodePackIndex([...this.#entries.values()], checksum),
    };
  }

  #note(id: string, packed: Buffer): void {
    this.#entries.set(id, { id, offset: this.#bytes, crc: crc32(packed) });
    this.#bytes += packed.length;
  }

  #room(bytes: number): Buffer {
    if (this.#used + bytes > this.#slab.length) {
      this.#closeSlab();
      this.#slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
    }
    const start = this.#used;
    this.#used += bytes;
    return this.#slab.subarray(start, this.#used);
  }

  #closeSlab(): void {
    if (this.#used > 0) this.#parts.push(this.#slab.subarray(0, this.#used));
    this.#slab = this.#slab.subarray(this.#used);
    this.#used = 0;
  }
}

/**
 * The first few of a pack are compressed: such packs are many, one for each turn of an agent. Where a whole project comes
 * at once it waits for nothing but this, and is kept in the room that its files take. Trees are hashes for the most part, which
 * nothing makes smaller.
 */
const TIGHT_OBJECTS = 64;
const PLAIN_BYTES = 16 * 1024;
const SLAB_BYTES = 1024 * 1024;

export interface FinishedPack {
  readonly checksum: string;
  readonly pack: readonly Buffer[];
  readonly index: Buffer;
}

export const PACK_HEADER_BYTES = 12;

export function packHeader(objects: number): Buffer {
  const header = Buffer.alloc(PACK_HEADER_BYTES);
  header.write('PACK', 'latin1');
  header.writeUInt32BE(2, 4);
  header.writeUInt32BE(objects, 8);
  return header;
}

/** Small windows for small bodies: most of the time would go into preparing a large one. */
function deflated(body: Buffer): Buffer {
  return deflateSync(body, body.length <= 4096 ? { level: 1, windowBits: 12, memLevel: 5 } : { level: 1 });
}

/** Where each object of a pack begins: git's index format, version 2. */
export class PackIndex {
  readonly #bytes: Buffer;
  readonly count: number;
  #sorted: Float64Array | undefined;

  constructor(bytes: Buffer) {
    if (bytes.length < HEADER_BYTES + FAN_BYTES || bytes.readUInt32BE(0) !== MAGIC || bytes.readUInt32BE(4) !== 2) {
      throw new Error('not an index of a pack');
    }
    this.#bytes = bytes;
    this.count = bytes.readUInt32BE(HEADER_BYTES + FAN_BYTES - 4);
    if (bytes.length < IDS_AT + this.count * 28 + 40) throw new Error('an index of a pack is cut short');
  }

  /** Takes the id as bytes, since it is mostly looked for in many packs. */
  offsetOf(wanted: Buffer): number | null {
    const first = wanted[0] ?? 0;
    const start = wanted.readUInt32BE(0);
    let low = first === 0 ? 0 : this.#bytes.readUInt32BE(HEADER_BYTES + (first - 1) * 4);
    let high = this.#bytes.readUInt32BE(HEADER_BYTES + first * 4);
    while (low < high) {
      const middle = (low + high) >>> 1;
      const at = IDS_AT + middle * ID_BYTES;
      // Mostly the first bytes tell, and a number is read much faster than bytes are compared.
      const order = start - this.#bytes.readUInt32BE(at) || wanted.compare(this.#bytes, at, at + ID_BYTES);
      if (order === 0) return this.#offsetAt(middle);
      if (order < 0) high = middle;
      else low = middle + 1;
    }
    return null;
  }

  /** Where what begins at this offset ends; the last one ends at `end`. */
  endOf(offset: number, end: number): number {
    this.#sorted ??= Float64Array.from({ length: this.count }, (_, at) => this.#offsetAt(at)).sort();
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#sorted[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return this.#sorted[low] ?? end;
  }

  *ids(): Generator<{ readonly id: string; readonly offset: number }> {
    for (let at = 0; at < this.count; at += 1) {
      const start = IDS_AT + at * ID_BYTES;
      yield { id: this.#bytes.toString('hex', start, start + ID_BYTES), offset: this.#offsetAt(at) };
    }
  }

  #offsetAt(place: number): number {
    return this.#bytes.readUInt32BE(IDS_AT + this.count * (ID_BYTES + 4) + place * 4);
  }
}

const MAGIC = 0xff744f63;
const ID_BYTES = 20;
const HEADER_BYTES = 8;
const FAN_BYTES = 256 * 4;
const IDS_AT = HEADER_BYTES + FAN_BYTES;

interface PackedEntry {
  readonly id: string;
  /** Below two gigabytes: larger packs are not made here. */
  readonly offset: number;
  readonly crc: number;
}

export function encodePackIndex(entries: readonly PackedEntry[], packChecksum: Buffer): Buffer {
  const bytes = Buffer.alloc(IDS_AT + entries.length * 28 + 40);
  bytes.writeUInt32BE(MAGIC, 0);
  bytes.writeUInt32BE(2, 4);
  let place = 0;
  byFirstByte(entries).forEach((some, first) => {
    for (const { id, offset, crc } of some.sort((a, b) => (a.id < b.id ? -1 : 1))) {
      bytes.write(id, IDS_AT + place * ID_BYTES, 'hex');
      bytes.writeUInt32BE(crc, IDS_AT + entries.length * ID_BYTES + place * 4);
      bytes.writeUInt32BE(offset, IDS_AT + entries.length * (ID_BYTES + 4) + place * 4);
      place += 1;
    }
    bytes.writeUInt32BE(place, HEADER_BYTES + first * 4);
  });
  packChecksum.copy(bytes, bytes.length - 40);
  createHash('sha1')
    .update(bytes.subarray(0, -20))
    .digest()
    .copy(bytes, bytes.length - 20);
  return bytes;
}

/** Sorting each of them takes half the time that sorting all of them takes. */
function byFirstByte(entries: readonly PackedEntry[]): PackedEntry[][] {
  const parts = Array.from({ length: 256 }, (): PackedEntry[] => []);
  for (const entry of entries) parts[Number.parseInt(entry.id.slice(0, 2), 16)]?.push(entry);
  return parts;
}

/**
 * Zlib's form of bytes that are not compressed: a header, one stored block, a checksum. Every zlib reads it. Node makes a
 * stream with new windows for each call into zlib, which for a small file takes twenty times as long as this.
 */
export function writePlain(body: Uint8Array, to: Buffer, at: number): void {
  to.writeUInt16BE(ZLIB_HEADER, at);
  to[at + 2] = LAST_STORED_BLOCK;
  to.writeUInt16LE(body.length, at + 3);
  to.writeUInt16LE(body.length ^ 0xffff, at + 5);
  to.set(body, at + HEAD_BYTES);
  to.writeUInt32BE(adler32(body), at + HEAD_BYTES + body.length);
}

export function plainLength(bytes: number): number {
  return HEAD_BYTES + bytes + CHECKSUM_BYTES;
}

/** The bytes again; null when they are in another form, or damaged: then zlib says what is wrong. */
export function readDeflated(packed: Buffer): Buffer | null {
  const length = packed.length - HEAD_BYTES - CHECKSUM_BYTES;
  if (length < 0 || packed.readUInt16BE(0) !== ZLIB_HEADER || packed[2] !== LAST_STORED_BLOCK) return null;
  if (packed.readUInt16LE(3) !== length || packed.readUInt16LE(5) !== (length ^ 0xffff)) return null;
  const body = packed.subarray(HEAD_BYTES, HEAD_BYTES + length);
  return adler32(body) === packed.readUInt32BE(HEAD_BYTES + length) ? body : null;
}

/** The most that one block can hold. */
export const MAX_PLAIN_BYTES = 0xffff;

const ZLIB_HEADER = 0x7801;
const LAST_STORED_BLOCK = 1;
const HEAD_BYTES = 7;
const CHECKSUM_BYTES = 4;

function adler32(bytes: Uint8Array): number {
  let low = 1;
  let high = 0;
  for (let at = 0; at < bytes.length;) {
    const end = Math.min(at + BEFORE_OVERFLOW, bytes.length);
    for (; at < end; at += 1) {
      low += bytes[at] ?? 0;
      high += low;
    }
    low %= ADLER_PRIME;
    high %= ADLER_PRIME;
  }
  return ((high << 16) | low) >>> 0;
}

const ADLER_PRIME = 65_521;
/** So many bytes may be summed up before the sums leave the numbers that are added fastest. */
const BEFORE_OVERFLOW = 3800;
