import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Node's requests and answers as those of the web platform, which the MCP package speaks. */

export type Serve = (request: Request) => Promise<Response>;

export async function exchange(incoming: IncomingMessage, outgoing: ServerResponse, serve: Serve): Promise<void> {
  const body = await readBody(incoming);
  if (body === null) return refuse(outgoing, 413);
  const gone = new AbortController();
  outgoing.once('close', () => gone.abort());
  const response = await serve(webRequest(incoming, body, gone.signal));
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body === null) return void outgoing.end();
  // A stream may be silent for long, so its start is sent at once.
  outgoing.flushHeaders();
  await pipeline(Readable.fromWeb(response.body), outgoing);
}

/** Sends only the status. The rest of the request is not read. */
export function refuse(outgoing: ServerResponse, status: number): void {
  outgoing.writeHead(status, { connection: 'close', 'content-length': 0 }).end();
}

/** More than the longest plan takes. */
const LARGEST_BODY = 4 * 1024 * 1024;

/** Null when it is too large. */
async function readBody(incoming: IncomingMessage): Promise<Buffer | null> {
  if (Number(incoming.headers['content-length'] ?? 0) > LARGEST_BODY) return null;
  const chunks: Buffer[] = [];
  let size = 0;
  // Left open on refusal: the answer uses the same connection.
  for await (const chunk of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LARGEST_BODY) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function webRequest(
  { url = '/', method = 'GET', headers }: IncomingMessage,
  body: Buffer,
  signal: AbortSignal,
): Request {
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  );
  return new Request(new URL(url, 'http://127.0.0.1'), {
    method,
    headers: entries,
    signal,
    ...(hasBody ? { body: new Uint8Array(body) } : {}),
  });
}
