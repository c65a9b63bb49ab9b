import { Passing } from '../passing.ts';
import type { WebService } from '../port.ts';
import { checkUrl, WebRefused } from './check-url.ts';
import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';

export interface Page extends HttpAnswer {
  /** The final address after redirects. */
  readonly url: URL;
}

/** Follows redirects by hand: each place is judged as if it had been asked for. */
export async function fetchPage(text: string, options: { web: WebService; signal: AbortSignal }): Promise<Page> {
  const { web } = options;
  const timeLimit = AbortSignal.timeout(web.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  const signal = AbortSignal.any([options.signal, timeLimit]);
  try {
    return await follow(text, web, signal);
  } catch (error) {
    if (error instanceof WebRefused || options.signal.aborted || !timeLimit.aborted) throw error;
    throw new Passing(`No answer within ${(web.timeoutMs ?? DEFAULT_TIMEOUT_MS) / 1000} s.`, { cause: error });
  }
}

const DEFAULT_TIMEOUT_MS = 20_000;
const DEFAULT_MAX_BYTES = 1024 * 1024;
const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const ACCEPT = { accept: 'text/html, text/plain, application/json, text/*;q=0.9, */*;q=0.1' };

async function follow(text: string, web: WebService, signal: AbortSignal): Promise<Page> {
  let next = text;
  for (let count = 0; count <= MAX_REDIRECTS; count += 1) {
    signal.throwIfAborted();
    const { url, addresses } = await checkUrl(next, web);
    const maxBytes = web.maxBytes ?? DEFAULT_MAX_BYTES;
    const answer = await httpGet(url, { signal, addresses, headers: ACCEPT, maxBytes });
    const place = answer.headers.location;
    if (!REDIRECTS.has(answer.status) || place === undefined) return { ...answer, url };
    next = redirectOf(place, url);
  }
  throw new Error(`There were more than ${MAX_REDIRECTS} redirects.`);
}

function redirectOf(place: string, from: URL): string {
  const next = URL.parse(place, from);
  if (next === null) throw new Error('The site redirects to something that is no URL.');
  if (from.protocol === 'https:' && next.protocol === 'http:') {
    throw new WebRefused('REDIRECT_INSECURE', `${from.host} redirects from https to http, which is not followed.`);
  }
  return next.href;
}

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

interface HttpAnswer {
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
