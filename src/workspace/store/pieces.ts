import { constants, createReadStream } from 'node:fs';
import { createInflate } from 'node:zlib';
import { storeDamaged } from './store-fault.ts';
import { type FileHandle, open } from 'node:fs/promises';

/** Above this size a content is only ever handled piece by piece, so that no file can fill the memory. */
export const LARGE_BYTES = 4 * 1024 * 1024;

/** Where a deflated content lies on the disk. */
export interface DeflatedPlace {
  readonly id: string;
  readonly file: string;
  /** Of the deflated bytes; the end is not among them. */
  readonly start: number;
  readonly end: number;
  /** How many bytes of the inflated ones come before the content. */
  readonly skip: number;
  readonly size: number;
}

/** A content that is too large to be held whole. Opened with the first piece, so that unread content need not be closed. */
export async function* inflatedPieces(open: () => OpenPlace): AsyncGenerator<Buffer> {
  const { place, fd } = open();
  let [toSkip, given] = [place.skip, 0];
  try {
    for await (const chunk of inflating(fd, place)) {
      const piece = chunk.subarray(Math.min(toSkip, chunk.length));
      toSkip -= chunk.length - piece.length;
      given += piece.length;
      if (piece.length > 0) yield piece;
    }
  } catch (error) {
    throw isZlibError(error) ? storeDamaged(`The object ${place.id} is damaged.`, error) : error;
  }
  if (given !== place.size) throw storeDamaged(`The object ${place.id} has another length than was written.`);
}

export interface OpenPlace {
  readonly place: DeflatedPlace;
  readonly fd: number;
}

/** Closes the file whether it is read to its end or not. */
function inflating(fd: number, { start, end }: Pick<DeflatedPlace, 'start' | 'end'>): AsyncIterable<Buffer> {
  const deflated = createReadStream('', { fd, start, end: end - 1, highWaterMark: PIECE_BYTES });
  const inflate = createInflate({ chunkSize: PIECE_BYTES });
  deflated.once('error', (error) => inflate.destroy(error));
  inflate.once('close', () => deflated.destroy());
  return deflated.pipe(inflate);
}

const PIECE_BYTES = 256 * 1024;

export function isZlibError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
}

/** Writes a new file piece by piece. Where there are only zeros nothing is written, so a file with holes takes no more room than it did. */
export async function writePieces(
  path: string | Buffer,
  pieces: AsyncIterable<Buffer>,
  options: WritePiecesOptions,
): Promise<void> {
  const file = await open(path, NEW_FILE, 0o600);
  try {
    let at = 0;
    for await (const piece of pieces) {
      options.signal?.throwIfAborted();
      if (!isZeros(piece)) await writeAt(file, piece, at);
      at += piece.length;
    }
    await file.truncate(at);
    await file.chmod(options.mode & 0o777);
    if (options.durable) await file.sync();
  } finally {
    await file.close();
  }
}

export interface WritePiecesOptions {
  readonly mode: number;
  /** It is on the disk when this resolves. */
  readonly durable: boolean;
  readonly signal?: AbortSignal | undefined;
}

const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

function isZeros(piece: Buffer): boolean {
  for (let at = 0; at < piece.length; at += ZEROS.length) {
    const part = piece.subarray(at, at + ZEROS.length);
    if (!part.equals(ZEROS.subarray(0, part.length))) return false;
  }
  return true;
}

const ZEROS = Buffer.alloc(64 * 1024);

async function writeAt(file: FileHandle, piece: Buffer, at: number): Promise<void> {
  for (let done = 0; done < piece.length;) {
    done += (await file.write(piece, done, piece.length - done, at + done)).bytesWritten;
  }
}

/** A content of whatever size. */
export async function* piecesOf(store: ReadableBlobs, blob: string): AsyncGenerator<Buffer> {
  const large = store.large(blob);
  if (large === null) yield await store.read(blob);
  else yield* large;
}

/** As much of a store as reading needs. */
export interface ReadableBlobs {
  read(blob: string): Promise<Buffer>;
  /** In pieces; null where it is small enough to be read whole. */
  large(blob: string): AsyncIterable<Buffer> | null;
}
