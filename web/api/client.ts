import { session, takeEarly } from './session.ts';
import type { ApiError } from '../../src/protocol/web/api-error.ts';
import type { Json } from '../../src/core/model/json.ts';
import type { Action } from '../../src/protocol/web/action.ts';

/** The server refused, in its own words. Status 0: it could not be reached. */
export class ApiProblem extends Error {
  readonly status: number;
  readonly code: string;
  readonly hint: string | undefined;
  readonly problems: readonly unknown[];

  constructor(status: number, { code, message, hint, problems = [] }: ApiError['error']) {
    super(message);
    this.status = status;
    this.code = code;
    this.hint = hint;
    this.problems = problems;
  }

  get isUnreachable(): boolean {
    return this.status === 0;
  }
}

export const unreachableServer = (): ApiProblem =>
  new ApiProblem(0, {
    code: 'SERVER_UNREACHABLE',
    message: 'The server does not answer.',
    hint: 'It may have been stopped: start it again with "troupe serve".',
  });

/** The problem of a failed answer, with a default text. */
export function problemOf(status: number, body: unknown): ApiProblem {
  const error = (body as Partial<ApiError> | null)?.error;
  if (typeof error?.code === 'string' && typeof error.message === 'string') return new ApiProblem(status, error);
  return new ApiProblem(status, { code: `HTTP_${status}`, message: `The server answered with status ${status}.` });
}

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
  const openings = session.openings();
  const answer = await sent(url, options);
  if (answer.ok) return await wholeBody(answer, options);
  const problem = problemOf(answer.status, await answer.json().catch(() => null));
  if (answer.status === 401) session.lock(problem, openings);
  throw problem;
}

/** A server that was stopped in the middle of its answer has not answered. */
async function wholeBody(answer: Response, { signal }: Sending): Promise<unknown> {
  try {
    return await answer.json();
  } catch (error) {
    throw signal?.aborted === true ? error : unreachableServer();
  }
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

/** An action by its route. The body is the action itself, without what the route says. */
export function performAction(action: Action): Promise<Json> {
  const { path, body } = actionRequest(action);
  return api.post<Json>(path, body);
}

export function actionRequest(action: Action): { readonly path: string; readonly body: object } {
  if (action.kind === 'start') {
    const { kind: _, ...body } = action;
    return { path: '/api/runs', body };
  }
  const { kind, run, ...body } = action;
  return { path: runPath(run, `/${kind}`), body };
}
