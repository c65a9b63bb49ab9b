import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const TROUPE = fileURLToPath(new URL('../../bin/troupe.js', import.meta.url));

/** `troupe serve` as users start it. */
export interface TroupeServer {
  readonly url: string;
  readonly token: string;
  readonly pid: number;
  get(path: string): Promise<Record<string, unknown>>;
  stop(): Promise<void>;
}

export async function startServer(home: string): Promise<TroupeServer> {
  const child = spawn(process.execPath, [TROUPE, 'serve', '--json', '--no-open'], {
    cwd: home,
    env: { ...process.env, TROUPE_HOME: home, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { origin, hash } = new URL(await firstUrl(child));
  const token = hash.replace('#t=', '');
  return {
    url: origin,
    token,
    pid: child.pid ?? 0,
    async get(path) {
      const answer = await fetch(origin + path, { headers: { authorization: `Bearer ${token}` } });
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      return (await answer.json()) as Record<string, unknown>;
    },
    async stop() {
      const closed = new Promise<void>((resolve) => child.on('close', () => resolve()));
      child.kill('SIGKILL');
      await closed;
    },
  };
}

async function firstUrl({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('The server says nothing.');
  for await (const line of createInterface({ input: stdout })) return (JSON.parse(line) as { url: string }).url;
  throw new Error('troupe serve ended by itself.');
}
