import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const TROUPE = fileURLToPath(new URL('../../bin/troupe.js', import.meta.url));

/** `troupe serve` as users start it. */
export interface TroupeServer {
  readonly url: string;
  readonly token: string;
  readonly pid: number;
  /** Where its memory can be asked for; empty unless that was wished. */
  readonly inspector: string;
  get(path: string): Promise<Record<string, unknown>>;
  post(path: string, body: object): Promise<Record<string, unknown>>;
  stop(): Promise<void>;
}

export interface ServerOptions {
  readonly isInspected?: boolean;
  /** The project it is started in; default: the home. */
  readonly folder?: string;
}

export async function startServer(home: string, options: ServerOptions = {}): Promise<TroupeServer> {
  const { isInspected = false, folder = home } = options;
  const flags = isInspected ? ['--inspect=127.0.0.1:0'] : [];
  const child = spawn(process.execPath, [...flags, TROUPE, 'serve', '--json', '--no-open'], {
    cwd: folder,
    env: { ...process.env, TROUPE_HOME: home, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', isInspected ? 'pipe' : 'inherit'],
  });
  const inspector = isInspected ? inspectorOf(child) : '';
  const { origin, hash } = new URL(await firstUrl(child));
  const token = hash.replace('#t=', '');
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const asked = async (path: string, how: RequestInit): Promise<Record<string, unknown>> => {
    const answer = await fetch(origin + path, how);
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Record<string, unknown>;
  };
  return {
    url: origin,
    token,
    pid: child.pid ?? 0,
    inspector: await inspector,
    get: (path) => asked(path, { headers }),
    post: (path, body) => asked(path, { method: 'POST', headers, body: JSON.stringify(body) }),
    async stop() {
      const closed = new Promise<void>((resolve) => child.on('close', () => resolve()));
      child.kill('SIGKILL');
      await closed;
    },
  };
}

/** It stands in what Node says first; what comes after is ours to see. */
async function inspectorOf({ stderr }: ChildProcess): Promise<string> {
  if (stderr === null) throw new Error('The server says nothing.');
  const { promise, resolve } = Promise.withResolvers<string>();
  createInterface({ input: stderr }).on('line', (line) => {
    const address = /^Debugger listening on (ws:\S+)$/.exec(line)?.[1];
    if (address !== undefined) resolve(address);
    else if (!NODE_SAYS.test(line)) process.stderr.write(`${line}\n`);
  });
  return promise;
}

const NODE_SAYS = /^(?:For help, see: https|Debugger (?:attached|ending))/;

async function firstUrl({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('The server says nothing.');
  for await (const line of createInterface({ input: stdout })) return (JSON.parse(line) as { url: string }).url;
  throw new Error('troupe serve ended by itself.');
}
