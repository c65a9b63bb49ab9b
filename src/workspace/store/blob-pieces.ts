import { createReadStream } from 'node:fs';
import { createInflate } from 'node:zlib';
import { storeDamaged } from './store-fault.ts';

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

/** A content that is too large to be held whole. Opened when the first piece is asked for: nobody has to close what was never read. */
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

function isZlibError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
}
