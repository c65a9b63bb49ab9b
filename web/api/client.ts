import { ApiProblem, problemOf, unreachableServer } from './api-problem.ts';
import { takeEarly } from './early.ts';
import { session } from './session.ts';

export type Params = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface Asked {
  readonly signal?: AbortSignal | undefined;
}

interface Sending extends Asked {
  readonly method?: 'POST';
  readonly body?: string;
}

/** Requests to the server this page came from. Rejects with an ApiProblem, whatever went wrong. */
export const api = {
  get: async <T>(path: string, params: Params = {}, asked: Asked = {}): Promise<T> =>
    (await request(address(path, params), asked)) as T,
  post: async <T>(path: string, body: unknown = {}, asked: Asked = {}): Promise<T> =>
    (await request(address(path, {}), { ...asked, method: 'POST', body: JSON.stringify(body) })) as T,
};

/** Of a run; the ids of child runs have slashes. */
export const runPath = (run: string, rest = ''): string => `/api/runs/${encodeURIComponent(run)}${rest}`;

export function address(path: string, params: Params): string {
  const words = Object.entries(params).flatMap(([name, value]) =>
    value === undefined || value === null || value === '' ? [] : [[name, String(value)]],
  );
  const query = new URLSearchParams(words).toString();
  return query === '' ? path : `${path}?${query}`;
}

async function request(url: string, options: Sending): Promise<unknown> {
  const answer = await sent(url, options);
  const body: unknown = await answer.json().catch(() => null);
  if (answer.ok) return body;
  if (answer.status === 401) session.lock();
  throw problemOf(answer.status, body);
}

/** The answer as it comes, for streams; only what is no success has been read. */
export async function sent(url: string, options: Sending): Promise<Response> {
  const headers = options.body === undefined ? {} : { 'content-type': 'application/json' };
  const early = options.body === undefined ? await takeEarly(url) : null;
  if (early !== null) return early;
  try {
    return await fetch(url, { ...options, signal: options.signal ?? null, headers, credentials: 'same-origin' });
  } catch (error) {
    if (options.signal?.aborted === true) throw error;
    throw unreachableServer();
  }
}

export const isUnreachable = (error: unknown): boolean => error instanceof ApiProblem && error.isUnreachable;
