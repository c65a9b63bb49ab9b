import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import type { TreeStore } from './port.ts';

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

export type ReadableBlobs = Pick<TreeStore, 'read' | 'large'>;
