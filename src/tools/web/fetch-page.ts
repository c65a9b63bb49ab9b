import { Passing } from '../passing.ts';
import type { WebService } from '../port.ts';
import { checkUrl } from './check-url.ts';
import { httpGet } from './http-get.ts';
import type { HttpAnswer } from './http-get.ts';
import { WebRefused } from './web-refused.ts';

export interface Page extends HttpAnswer {
  /** Where it was found in the end. */
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
