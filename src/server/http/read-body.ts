import type { Context } from 'hono';
import { Fault } from '../../core/fault.ts';

const MOST_BYTES = 1024 * 1024;

/** The body as text, never more of it in memory than it may have, whether or not it says its length. BODY_TOO_LARGE. */
export async function readBody({ req }: Context): Promise<string> {
  if (Number(req.header('content-length') ?? 0) > MOST_BYTES) throw tooLarge();
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of req.raw.body ?? []) {
    bytes += piece.length;
    if (bytes > MOST_BYTES) throw tooLarge();
    pieces.push(piece);
  }
  return new TextDecoder().decode(Buffer.concat(pieces));
}

const tooLarge = (): Fault => new Fault('BODY_TOO_LARGE', `A body may have ${MOST_BYTES} bytes at most.`);
