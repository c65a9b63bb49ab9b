import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createDeflate, createInflate, deflateSync } from 'node:zlib';
import { objectHeader } from './git-object.ts';
import type { ObjectStore } from './object-store.ts';
import { entryHeader } from './entry-header.ts';
import { encodePackIndex, PACK_HEADER_BYTES, packHeader } from './pack-format.ts';
import { syncFile, writePack } from './pack-folder.ts';
import { isZlibError } from './pieces.ts';

/**
 * A file too large to be held in memory becomes its own pack, piece by piece. Read twice: once for its name, and only
 * where the store does not have it yet once more to copy it. Null when it was changed in between.
 */
export async function addLargeFile(objects: ObjectStore, file: FileHandle, large: LargeFile): Promise<string | null> {
  const id = await hashFile(file, large);
  if (id === null || objects.has(id)) return id;
  const copied = await asOwnPack(objects, async (path) => {
    const copy = await copyDeflated(file, { ...large, path, level: await levelFor(file) });
    return copy.id === id ? copy : null;
  });
  return copied?.id ?? null;
}

/** Writes a pack of one object under another name; it counts once it is on the disk. Null, and nothing is kept, where `write` says so. */
async function asOwnPack(
  objects: ObjectStore,
  write: (path: string) => Promise<OwnPack | null>,
): Promise<OwnPack | null> {
  const folder = objects.packs.path;
  const path = join(folder, `tmp_${randomBytes(9).toString('base64url')}`);
  try {
    const written = await write(path);
    if (written === null) return null;
    await syncFile(path);
    const entry = { id: written.id, offset: PACK_HEADER_BYTES, crc: written.crc };
    const index = encodePackIndex([entry], written.checksum);
    await writePack(folder, { checksum: written.checksum.toString('hex'), pack: path, index });
    objects.packs.refresh();
    return written;
  } finally {
    await unlink(path).catch(() => undefined);
  }
}

interface OwnPack {
  readonly id: string;
  readonly crc: number;
  readonly checksum: Buffer;
}

export interface LargeFile {
  readonly size: number;
  readonly signal?: AbortSignal | undefined;
}

async function hashFile(file: FileHandle, { size, signal }: LargeFile): Promise<string | null> {
  const hash = createHash('sha1').update(objectHeader('blob', size));
  let seen = 0;
  for await (const chunk of readFrom(file)) {
    signal?.throwIfAborted();
    seen += chunk.length;
    hash.update(chunk);
  }
  return seen === size ? hash.digest('hex') : null;
}

async function* readFrom(file: FileHandle): AsyncGenerator<Buffer> {
  const stream = createReadStream('', { fd: file, start: 0, autoClose: false, highWaterMark: CHUNK_BYTES });
  for await (const chunk of stream) yield chunk as Buffer;
}

const CHUNK_BYTES = 256 * 1024;

async function levelFor(file: FileHandle): Promise<0 | 1> {
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(SAMPLE_BYTES), 0, SAMPLE_BYTES, 0);
  return isWorthDeflating(buffer.subarray(0, bytesRead)) ? 1 : 0;
}

/** Most large files are films, archives and the like, which no compressing makes smaller: their beginning tells. */
export function isWorthDeflating(beginning: Buffer): boolean {
  const sample = beginning.subarray(0, SAMPLE_BYTES);
  return deflateSync(sample, { level: 1 }).length < WORTH_IT * sample.length;
}

const SAMPLE_BYTES = 128 * 1024;
const WORTH_IT = 0.9;

interface Copy extends LargeFile {
  readonly path: string;
  readonly level: 0 | 1;
}

async function copyDeflated(file: FileHandle, { path, size, level, signal }: Copy): Promise<OwnPack> {
  const id = createHash('sha1').update(objectHeader('blob', size));
  const whole = createHash('sha1');
  const target = createWriteStream(path, { flags: 'wx', mode: 0o444 });
  const [start, header] = [packHeader(1), entryHeader('blob', size)];
  let crc = crc32(header);
  whole.update(start).update(header);
  target.write(start);
  target.write(header);
  const seen = new Transform({
    transform: (chunk: Buffer, _, done) => {
      id.update(chunk);
      done(null, chunk);
    },
  });
  const packed = new Transform({
    transform: (chunk: Buffer, _, done) => {
      crc = crc32(chunk, crc);
      whole.update(chunk);
      done(null, chunk);
    },
    flush(done) {
      this.push(whole.copy().digest());
      done();
    },
  });
  const also = signal === undefined ? {} : { signal };
  await pipeline(readFrom(file), seen, createDeflate({ level, chunkSize: CHUNK_BYTES }), packed, target, also);
  return { id: id.digest('hex'), crc, checksum: whole.digest() };
}

/** A content that arrives packed, piece by piece. False, and nothing is kept, where it is not what its id says. */
export async function addPackedBlob(objects: ObjectStore, blob: ArrivingBlob): Promise<boolean> {
  const kept = await asOwnPack(objects, async (path) => {
    const copy = await copyPacked(path, blob);
    return copy?.id === blob.id ? copy : null;
  });
  return kept !== null;
}

export interface ArrivingBlob {
  readonly id: string;
  /** Of the content, once it is inflated. */
  readonly size: number;
  /** With the header of its entry in a pack. */
  readonly packed: AsyncIterable<Buffer>;
}

async function copyPacked(path: string, { size, packed }: ArrivingBlob): Promise<OwnPack | null> {
  const start = packHeader(1);
  const whole = createHash('sha1').update(start);
  const id = createHash('sha1').update(objectHeader('blob', size));
  const target = await open(path, 'wx', 0o444);
  let crc = 0;
  let toSkip = entryHeader('blob', size).length;
  async function* copied(): AsyncGenerator<Buffer> {
    await target.writeFile(start);
    for await (const piece of packed) {
      crc = crc32(piece, crc);
      whole.update(piece);
      await target.writeFile(piece);
      const deflated = piece.subarray(Math.min(toSkip, piece.length));
      toSkip -= piece.length - deflated.length;
      yield deflated;
    }
  }
  try {
    await pipeline(copied(), createInflate({ chunkSize: CHUNK_BYTES }), async (content: AsyncIterable<Buffer>) => {
      for await (const chunk of content) id.update(chunk);
    });
    const checksum = whole.digest();
    await target.writeFile(checksum);
    return { id: id.digest('hex'), crc, checksum };
  } catch (error) {
    if (isZlibError(error)) return null;
    throw error;
  } finally {
    await target.close();
  }
}
