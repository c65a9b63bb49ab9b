import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { MiddlewareHandler } from 'hono';
import { chooseEncoding } from './choose-encoding.ts';

/** Below this an answer arrives as soon without. */
const SMALLEST = 16 * 1024;

/** The fastest that still makes JSON a tenth of its size: the reader waits for it. */
const ENCODERS = {
  br: (bytes: Buffer) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes, { level: 1 }),
} as const;

/** Sends long JSON compressed to clients that accept it. Streams go out as they come. */
export const compressedAnswers = (): MiddlewareHandler => async (context, next) => {
  await next();
  const { res } = context;
  // Files of runs are named with their size, and sent as they are read.
  if (!isJson(res) || res.headers.has('content-length') || res.headers.has('content-encoding')) return;
  const encoding = chooseEncoding(context.req.header('accept-encoding'), ['br', 'gzip']);
  if (encoding === null) return;
  const bytes = Buffer.from(await res.arrayBuffer());
  const isLong = bytes.length >= SMALLEST;
  const headers = new Headers(res.headers);
  if (isLong) headers.set('content-encoding', encoding);
  headers.append('vary', 'Accept-Encoding');
  headers.delete('content-length');
  context.res = undefined;
  context.res = new Response(new Uint8Array(isLong ? await ENCODERS[encoding](bytes) : bytes), {
    status: res.status,
    headers,
  });
};

const isJson = ({ headers }: Response): boolean => /^application\/json\b/.test(headers.get('content-type') ?? '');
