import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { unlink } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createDeflate, deflateSync } from 'node:zlib';
import { objectHeader } from './git-object.ts';
import type { ObjectStore } from './object-store.ts';
import { entryHeader, PACK_HEADER_BYTES, packHeader } from './pack-draft.ts';
import { syncFile, writePack } from './pack-folder.ts';
import { encodePackIndex } from './pack-index.ts';

/**
 * A file too large to be held in memory becomes a pack of its own, piece by piece. Read twice: once for its name, and only
 * where the store does not have it yet once more to copy it. Null when it was changed in between.
 */
export async function addLargeFile(objects: ObjectStore, file: FileHandle, large: LargeFile): Promise<string | null> {
  const id = await hashFile(file, large);
  if (id === null || objects.has(id)) return id;
  const folder = objects.packs.path;
  const path = join(folder, `tmp_${randomBytes(9).toString('base64url')}`);
  try {
    const copied = await copyDeflated(file, { ...large, path, level: await levelFor(file) });
    if (copied.id !== id) return null;
    await syncFile(path);
    const entry = { id, offset: PACK_HEADER_BYTES, crc: copied.crc };
    const index = encodePackIndex([entry], copied.checksum);
    await writePack(folder, { checksum: copied.checksum.toString('hex'), pack: path, index });
    objects.packs.refresh();
    return id;
  } finally {
    await unlink(path).catch(() => undefined);
  }
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

/** Most large files are films, archives and the like, which no compressing makes smaller: their beginning tells. */
async function levelFor(file: FileHandle): Promise<0 | 1> {
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(SAMPLE_BYTES), 0, SAMPLE_BYTES, 0);
  const sample = buffer.subarray(0, bytesRead);
  return deflateSync(sample, { level: 1 }).length < WORTH_IT * sample.length ? 1 : 0;
}

const SAMPLE_BYTES = 128 * 1024;
const WORTH_IT = 0.9;

interface Copy extends LargeFile {
  readonly path: string;
  readonly level: 0 | 1;
}

async function copyDeflated(
  file: FileHandle,
  { path, size, level, signal }: Copy,
): Promise<{ id: string; crc: number; checksum: Buffer }> {
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
