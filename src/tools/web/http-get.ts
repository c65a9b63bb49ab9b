import { request as requestPlain } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { request as requestSecure } from 'node:https';
import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';

/**
 * Asks one machine once: no redirect is followed, no connection kept, no proxy of the environment used. With `addresses`
 * only these are connected to, whatever the name means by now.
 */
export async function httpGet(url: URL, options: GetOptions): Promise<HttpAnswer> {
  const response = await responseOf(url, options);
  try {
    const { body, isCut } = await bodyOf(response, options.maxBytes);
    return { status: response.statusCode ?? 0, headers: response.headers, body, isCut };
  } finally {
    response.destroy();
  }
}

export interface GetOptions {
  readonly signal: AbortSignal;
  readonly maxBytes: number;
  readonly addresses?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
  /** There was more than `maxBytes`. */
  readonly isCut: boolean;
}

function responseOf(url: URL, options: GetOptions): Promise<IncomingMessage> {
  const { signal, addresses } = options;
  const request = url.protocol === 'https:' ? requestSecure : requestPlain;
  // Packed bodies are not asked for, so that a small one cannot become a large one.
  const headers = { 'user-agent': 'troupe', 'accept-encoding': 'identity', ...options.headers };
  return new Promise((resolve, reject) => {
    const asked = request(url, {
      agent: false,
      headers,
      signal,
      maxHeaderSize: 32_768,
      ...(addresses === undefined ? {} : { lookup: lookupAmong(addresses) }),
    });
    asked.on('response', resolve);
    asked.on('error', reject);
    asked.end();
  });
}

function lookupAmong(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, options, done) => {
    const first = found[0];
    if (first === undefined) done(new Error('no address'), '');
    else if (options.all === true) done(null, found);
    else done(null, first.address, first.family);
  };
}

async function bodyOf(response: IncomingMessage, maxBytes: number): Promise<{ body: Buffer; isCut: boolean }> {
  const parts: Buffer[] = [];
  let total = 0;
  for await (const chunk of response) {
    parts.push(chunk as Buffer);
    total += (chunk as Buffer).length;
    if (total > maxBytes) break;
  }
  return { body: Buffer.concat(parts).subarray(0, maxBytes), isCut: total > maxBytes };
}
