import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import type { ObjectType } from './git-object.ts';
import { encodePackIndex } from './pack-index.ts';
import type { PackedEntry } from './pack-index.ts';

/** Objects gathered in memory until they are written as one pack: two files to make durable instead of one for each object. */
export class PackDraft {
  readonly #parts: Buffer[] = [];
  readonly #entries = new Map<string, PackedEntry>();
  #bytes = PACK_HEADER_BYTES;

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
    this.addPacked(id, Buffer.concat([entryHeader(type, body.length), deflated(body)]));
  }

  /** As it stands in another pack. */
  addPacked(id: string, packed: Buffer): void {
    if (this.#entries.has(id)) return;
    this.#entries.set(id, { id, offset: this.#bytes, crc: crc32(packed) });
    this.#parts.push(packed);
    this.#bytes += packed.length;
  }

  finish(): FinishedPack {
    const content = Buffer.concat([packHeader(this.#entries.size), ...this.#parts]);
    const checksum = createHash('sha1').update(content).digest();
    return {
      checksum: checksum.toString('hex'),
      pack: [content, checksum],
      index: encodePackIndex([...this.#entries.values()], checksum),
    };
  }
}

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
