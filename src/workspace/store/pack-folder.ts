import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync, readSync, utimesSync } from 'node:fs';
import { open, rename, unlink } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { errorCode } from '../../lib/held-folder.ts';
import { type DeflatedPlace, LARGE_BYTES } from './pieces.ts';
import type { GitObject } from './git-object.ts';
import { readEntryHeader } from './entry-header.ts';
import { PackIndex, readDeflated } from './pack-format.ts';
import { storeDamaged } from './store-fault.ts';

/** The packs of a store: found again when another process added some, read without any program's help. */
export class PackFolder {
  readonly path: string;
  readonly #packs = new Map<string, Pack>();
  readonly #ahead = new ReadAhead();

  constructor(path: string) {
    this.path = path;
  }

  /** Takes up what others added and lets go of what they removed. */
  refresh(): void {
    const there = new Set(readdirSync(this.path).filter((name) => /^pack-[0-9a-f]{40}\.idx$/.test(name)));
    for (const [name, pack] of this.#packs) {
      if (there.has(name)) continue;
      pack.close();
      this.#packs.delete(name);
    }
    for (const name of there) {
      const pack = this.#packs.has(name) ? null : openPack(join(this.path, name));
      if (pack !== null) this.#packs.set(name, pack);
    }
  }

  has(id: string): boolean {
    return this.#find(id) !== null;
  }

  /** As stored in the pack, with its header. */
  packed(id: string): Buffer | null {
    const found = this.#find(id);
    return found === null ? null : found.pack.readAt(found.offset);
  }

  read(id: string): GitObject | null {
    const packed = this.packed(id);
    if (packed === null) return null;
    const header = readEntryHeader(packed);
    if (header === null)
      throw storeDamaged(`The object ${id} in ${this.path} is packed in a way that is not read here.`);
    return { type: header.type, body: inflated(packed.subarray(header.length), { ...header, id }) };
  }

  /** Where a content lies that is too large to be held whole; null for any other, and for what is not here. */
  largeAt(id: string): DeflatedPlace | null {
    const found = this.#find(id);
    if (found === null || !mayBeLarge(found.pack.lengthAt(found.offset))) return null;
    const { header, start, end } = found.pack.lookAt(found.offset);
    if (header === null || header.size <= LARGE_BYTES) return null;
    return { id, file: `${found.pack.path}.pack`, start, end, skip: 0, size: header.size };
  }

  sizeOf(id: string): number | null {
    const found = this.#find(id);
    return found === null ? null : (found.pack.lookAt(found.offset).header?.size ?? null);
  }

  /** An object that is stored without compression; valid until the next call. */
  peek(id: string): GitObject | null {
    const found = this.#find(id);
    const packed = found === null ? null : this.#ahead.readAt(found.pack, found.offset);
    const header = packed === null ? null : readEntryHeader(packed);
    const body = packed === null || header === null ? null : readDeflated(packed.subarray(header.length));
    return body === null || header?.size !== body.length ? null : { type: header.type, body };
  }

  /** Whether it is here; if so, it counts as new from now on. */
  touch(id: string): boolean {
    const found = this.#find(id);
    found?.pack.touch();
    return found !== null;
  }

  get packs(): readonly Pack[] {
    return [...this.#packs.values()];
  }

  close(): void {
    for (const pack of this.#packs.values()) pack.close();
    this.#packs.clear();
  }

  #find(id: string): { readonly pack: Pack; readonly offset: number } | null {
    const bytes = Buffer.from(id, 'hex');
    for (const pack of this.#packs.values()) {
      const offset = pack.index.offsetOf(bytes);
      if (offset !== null) return { pack, offset };
    }
    return null;
  }
}

/** Nothing deflated becomes more than a thousand times as large: mostly that saves a look. */
function mayBeLarge(packedBytes: number): boolean {
  return packedBytes * 1100 > LARGE_BYTES;
}

function inflated(bytes: Buffer, { id, size }: { readonly id: string; readonly size: number }): Buffer {
  try {
    const body = readDeflated(bytes) ?? inflateSync(bytes);
    if (body.length === size) return body;
  } catch (error) {
    throw storeDamaged(`The object ${id} is damaged.`, error);
  }
  throw storeDamaged(`The object ${id} has another length than was written.`);
}

/** One pack with its index, its file held open. */
export class Pack {
  readonly index: PackIndex;
  /** Without the ending. */
  readonly path: string;
  readonly bytes: number;
  readonly #file: number;
  #isOpen = true;

  constructor(path: string, index: PackIndex) {
    this.path = path;
    this.index = index;
    this.#file = openSync(`${path}.pack`, constants.O_RDONLY);
    this.bytes = fstatSync(this.#file).size;
  }

  /** When something in it was last wanted by somebody. */
  get modifiedMs(): number {
    return fstatSync(this.#file).mtimeMs;
  }

  touch(): void {
    const now = new Date();
    utimesSync(`${this.path}.pack`, now, now);
  }

  /** With its header and still deflated. */
  readAt(offset: number): Buffer {
    const buffer = Buffer.allocUnsafe(this.lengthAt(offset));
    this.fill(buffer, offset);
    return buffer;
  }

  /** Only the header is read. */
  lookAt(offset: number): { header: ReturnType<typeof readEntryHeader>; start: number; end: number } {
    const length = this.lengthAt(offset);
    const beginning = Buffer.allocUnsafe(Math.min(MAX_HEADER_BYTES, length));
    this.fill(beginning, offset);
    const header = readEntryHeader(beginning);
    return { header, start: offset + (header?.length ?? 0), end: offset + length };
  }

  lengthAt(offset: number): number {
    const length = this.index.endOf(offset, this.bytes - CHECKSUM_BYTES) - offset;
    if (length <= 0) throw storeDamaged(`${this.path}.pack is cut short.`);
    return length;
  }

  fill(buffer: Buffer, offset: number): void {
    let read = 0;
    while (read < buffer.length) {
      const more = readSync(this.#file, buffer, read, buffer.length - read, offset + read);
      if (more === 0) throw storeDamaged(`${this.path}.pack is cut short.`);
      read += more;
    }
  }

  close(): void {
    if (this.#isOpen) closeSync(this.#file);
    this.#isOpen = false;
  }
}

const CHECKSUM_BYTES = 20;
const MAX_HEADER_BYTES = 16;

function openPack(indexPath: string): Pack | null {
  try {
    return new Pack(indexPath.slice(0, -'.idx'.length), new PackIndex(readFileSync(indexPath)));
  } catch (error) {
    // Another process may just have joined it to a larger one.
    if (errorCode(error) === 'ENOENT') return null;
    throw storeDamaged(`A pack cannot be read: ${indexPath}.`, error);
  }
}

/**
 * Whole or not at all, and on the disk when it resolves. The index comes last: without it a pack is not seen. `mode` is that of
 * its files, where the umask does not decide.
 */
export async function writePack(folder: string, pack: NewPack, mode?: number): Promise<void> {
  const temporary = join(folder, `tmp_${randomBytes(9).toString('base64url')}`);
  const target = join(folder, `pack-${pack.checksum}`);
  const [packFile, indexFile] = [`${temporary}.pack`, `${temporary}.idx`];
  try {
    // Both are over before anything is removed: what is still being written would stay.
    const written = await Promise.allSettled([
      typeof pack.pack === 'string' ? rename(pack.pack, packFile) : writeDurably(packFile, pack.pack, mode),
      writeDurably(indexFile, [pack.index], mode),
    ]);
    for (const one of written) if (one.status === 'rejected') throw one.reason;
    await rename(packFile, `${target}.pack`);
    await rename(indexFile, `${target}.idx`);
    await syncFile(folder);
  } catch (error) {
    await Promise.all([packFile, indexFile].map((file) => unlink(file).catch(() => undefined)));
    throw error;
  }
}

export interface NewPack {
  readonly checksum: string;
  /** Its content, or a file that holds it and is on the disk already. */
  readonly pack: readonly Buffer[] | string;
  readonly index: Buffer;
}

export async function writeDurably(
  path: string,
  content: Iterable<Buffer> | AsyncIterable<Buffer>,
  mode?: number,
): Promise<void> {
  const handle = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, (mode ?? 0o444) & 0o444);
  try {
    for await (const part of content) await handle.writeFile(part);
    if (mode !== undefined) await handle.chmod(mode);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export async function syncFile(path: string): Promise<void> {
  const handle = await open(path, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Reads a pack in larger pieces than is asked for: what is recorded together is mostly wanted together and in that order. */
class ReadAhead {
  #room: Buffer | undefined;
  #pack: Pack | null = null;
  #start = 0;
  #end = 0;

  /** Valid until the next one is asked for; null where it is large. */
  readAt(pack: Pack, offset: number): Buffer | null {
    const length = pack.lengthAt(offset);
    if (length > PIECE_BYTES) return null;
    const isHere = this.#pack === pack && offset >= this.#start && offset + length <= this.#end;
    const room = isHere && this.#room !== undefined ? this.#room : this.#readFrom(pack, offset);
    return room.subarray(offset - this.#start, offset - this.#start + length);
  }

  #readFrom(pack: Pack, offset: number): Buffer {
    const room = (this.#room ??= Buffer.allocUnsafeSlow(PIECE_BYTES));
    const length = Math.min(PIECE_BYTES, pack.bytes - offset);
    this.#pack = null;
    pack.fill(room.subarray(0, length), offset);
    [this.#pack, this.#start, this.#end] = [pack, offset, offset + length];
    return room;
  }
}

const PIECE_BYTES = 128 * 1024;
