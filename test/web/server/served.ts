import { request, type IncomingHttpHeaders } from 'node:http';
import { freePort } from '../../../src/journal/postgres/testing/test-cluster.ts';
import type { Running, Sandbox, TroupeOptions } from '../../cli/sandbox.ts';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body, where it is JSON. */
  readonly body: Body;
}

export type Body = Readonly<Record<string, unknown>> & {
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly hint?: string;
    readonly problems?: unknown;
  };
};

export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** `troupe serve` as a separate process, and a client that sends exactly the given bytes. */
export interface Served {
  readonly port: number;
  readonly url: string;
  readonly token: string;
  readonly running: Running;
  /** With the token. */
  get(path: string): Promise<Answer>;
  post(path: string, body?: unknown): Promise<Answer>;
  /** Nothing is added. */
  ask(path: string, asked?: Asked): Promise<Answer>;
}

export async function serve(
  sandbox: Sandbox,
  words: readonly string[] = [],
  options: TroupeOptions = {},
): Promise<Served> {
  const running = sandbox.start(['serve', '--json', '--no-open', ...words], options);
  const first = await running.lines.next();
  if (first.done === true) throw new Error((await running.ended).stderr);
  return servedAt((JSON.parse(first.value) as { url: string }).url, running);
}

/** At a port that is free again when the server is gone: no connection of another program takes it meanwhile. */
export const serveToRestart = async (sandbox: Sandbox): Promise<Served> =>
  serve(sandbox, ['--port', String(await freePort())]);

/** A page that is there already. */
export function servedAt(url: string, running: Running): Served {
  const { port, hash } = new URL(url);
  const token = hash.replace('#t=', '');
  const authorized = { authorization: `Bearer ${token}` };
  const ask = (path: string, asked: Asked = {}): Promise<Answer> => askServer(Number(port), path, asked);
  return {
    port: Number(port),
    url,
    token,
    running,
    ask,
    get: (path) => ask(path, { headers: authorized }),
    post: (path, body = {}) =>
      ask(path, {
        method: 'POST',
        headers: { ...authorized, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
  };
}

export function askServer(port: number, path: string, { method = 'GET', headers = {}, body }: Asked): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const sent = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
    const pieces: Buffer[] = [];
    response.on('data', (piece: Buffer) => pieces.push(piece));
    response.on('error', reject);
    response.on('end', () => {
      const text = Buffer.concat(pieces).toString('utf8');
      const isJson = response.headers['content-type']?.startsWith('application/json') === true;
      const parsed = isJson ? (JSON.parse(text) as Body) : {};
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body: parsed });
    });
  });
  sent.on('error', reject);
  sent.end(body);
  return promise;
}

export const path = (run: string, rest = ''): string => `/api/runs/${encodeURIComponent(run)}${rest}`;
