import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import type { ObjectType } from './git-object.ts';
import { encodePackIndex } from './pack-index.ts';
import type { PackedEntry } from './pack-index.ts';
import { plainLength, writePlain } from './plain-deflate.ts';

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

  /** As it stands in another pack. */
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

const TYPE_NUMBERS: Record<ObjectType, number> = { commit: 1, tree: 2, blob: 3, tag: 4 };
const TYPES: readonly (ObjectType | undefined)[] = [undefined, 'commit', 'tree', 'blob', 'tag'];

/** Type and size: four bits of the size in the first byte, then seven in each. */
export function entryHeader(type: ObjectType, size: number): Buffer {
  const bytes: number[] = [];
  let rest = Math.floor(size / 16);
  let byte = (TYPE_NUMBERS[type] << 4) | (size & 15);
  while (rest > 0) {
    bytes.push(byte | 0x80);
    byte = rest & 0x7f;
    rest = Math.floor(rest / 128);
  }
  bytes.push(byte);
  return Buffer.from(bytes);
}

/** The opposite; null for kinds that are never written here, such as differences to another object. */
export function readEntryHeader(packed: Buffer): { type: ObjectType; size: number; length: number } | null {
  let byte = packed[0] ?? 0;
  const type = TYPES[(byte >> 4) & 7];
  if (type === undefined) return null;
  let size = byte & 15;
  let scale = 16;
  let length = 1;
  while ((byte & 0x80) !== 0) {
    byte = packed[length] ?? 0;
    size += (byte & 0x7f) * scale;
    scale *= 128;
    length += 1;
  }
  return { type, size, length };
}

/** Small windows for small bodies: most of the time would go into preparing a large one. */
function deflated(body: Buffer): Buffer {
  return deflateSync(body, body.length <= 4096 ? { level: 1, windowBits: 12, memLevel: 5 } : { level: 1 });
}
