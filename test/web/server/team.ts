import { request } from 'node:http';
import { createSandbox, type Running, type Sandbox } from '../../cli/sandbox.ts';
import { askServer, type Answer, type Asked } from './served.ts';

export const NAME = 'troupe.example.com';
export const ORIGIN = `https://${NAME}`;

type Texts = Readonly<Record<string, string>>;

/** `troupe serve --listen` as a process, as a proxy that speaks TLS sees it. */
export interface TeamServed {
  readonly port: number;
  readonly sandbox: Sandbox;
  readonly running: Running;
  /** With the server's name; nothing else is added. */
  ask(path: string, asked?: Asked): Promise<Answer>;
  get(token: string, path: string): Promise<Answer>;
  post(token: string, path: string, body?: unknown, headers?: Texts): Promise<Answer>;
}

/** Makes a token, as the operator of the server does. */
export async function newToken(
  sandbox: Sandbox,
  name: string,
  role: string,
  words: readonly string[] = [],
): Promise<string> {
  const { stdout, stderr } = await sandbox.troupe(['token', 'new', name, '--role', role, '--json', ...words]);
  if (stdout === '') throw new Error(stderr);
  return (JSON.parse(stdout) as { readonly token: string }).token;
}

/** A token of the server's own is made first: without one it would not begin. */
export async function serveTeam(sandbox: Sandbox = createSandbox(), environment: Texts = {}): Promise<TeamServed> {
  await newToken(sandbox, 'first', 'viewer');
  const words = ['serve', '--json', '--listen', '127.0.0.1:0', '--behind-tls', '--public-name', NAME];
  const running = sandbox.start(words, { environment });
  const first = await running.lines.next();
  if (first.done === true) throw new Error((await running.ended).stderr);
  const { address } = JSON.parse(first.value) as { readonly address: string };
  const port = Number(address.split(':')[1]);
  const ask = (path: string, { headers = {}, ...asked }: Asked = {}): Promise<Answer> =>
    askServer(port, path, { ...asked, headers: { host: NAME, ...headers } });
  return {
    port,
    sandbox,
    running,
    ask,
    get: (token, path) => ask(path, { headers: { authorization: `Bearer ${token}` } }),
    post: (token, path, body = {}, headers = {}) =>
      ask(path, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
  };
}

/** What a browser sends after it has signed in. */
export async function cookieOf(served: TeamServed, token: string): Promise<string> {
  const answer = await served.post(token, '/api/session');
  return answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
}

export interface TeamStream {
  readonly status: number;
  /** All that came until it ended. */
  readonly text: Promise<string>;
  readonly retryAfter: string | undefined;
}

/** What the page hears of all runs, until the server ends it. */
export function openStream(served: TeamServed, headers: Texts): Promise<TeamStream> {
  const { promise, resolve, reject } = Promise.withResolvers<TeamStream>();
  const sent = request({
    host: '127.0.0.1',
    port: served.port,
    path: '/api/stream',
    method: 'POST',
    agent: false,
    headers: { host: NAME, 'content-type': 'application/json', ...headers },
  });
  sent.on('error', reject);
  sent.on('response', (response) => {
    const read = async (): Promise<string> => {
      let all = '';
      for await (const piece of response) all += String(piece);
      return all;
    };
    const text = read().catch(() => '');
    resolve({ status: response.statusCode ?? 0, text, retryAfter: response.headers['retry-after'] });
  });
  sent.end(JSON.stringify({ cards: true, after: {} }));
  return promise;
}
