import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Postgres {
  /** A new, empty database. */
  url(name: string): string;
  stop(): void;
}

/** A PostgreSQL of its own in a folder of its own, settings as shipped (synced commits); null where none is installed. */
export async function startPostgres(): Promise<Postgres | null> {
  const programs = findPrograms();
  if (programs === null) return null;
  const user = serverUser();
  if (user === undefined) return null;
  const data = mkdtempSync(join(tmpdir(), 'troupe-bench-postgres-'));
  if (user !== null) chownSync(data, user.uid, user.gid);
  const run = (program: string, words: readonly string[]): void => {
    execFileSync(join(programs, program), words, { stdio: 'ignore', cwd: data, ...user });
  };
  const port = await freePort();
  run('initdb', ['-D', data, '-U', 'bench', '-A', 'trust', '--no-instructions']);
  run('pg_ctl', ['-D', data, '-w', '-l', join(data, 'log'), '-o', `-p ${port} -h 127.0.0.1 -k ${data}`, 'start']);
  return {
    url(name) {
      run('createdb', ['-h', '127.0.0.1', '-p', String(port), '-U', 'bench', name]);
      return `postgresql://bench@127.0.0.1:${port}/${name}`;
    },
    stop() {
      run('pg_ctl', ['-D', data, '-m', 'fast', '-w', 'stop']);
      rmSync(data, { recursive: true, force: true });
    },
  };
}

/** Debian keeps the server's programs out of the path. */
function findPrograms(): string | null {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(':'),
  ];
  return folders.find((path) => existsSync(join(path, 'initdb')) && existsSync(join(path, 'pg_ctl'))) ?? null;
}

/** PostgreSQL refuses to run as root, so root lends it another user. Null: no need to change; undefined: there is none. */
function serverUser(): { readonly uid: number; readonly gid: number } | null | undefined {
  if (process.getuid?.() !== 0) return null;
  for (const name of ['postgres', 'nobody']) {
    const { status, stdout } = spawnSync('id', ['-u', name], { encoding: 'utf8' });
    const group = spawnSync('id', ['-g', name], { encoding: 'utf8' });
    if (status === 0 && group.status === 0) return { uid: Number(stdout), gid: Number(group.stdout) };
  }
  return undefined;
}

function freePort(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const server = createServer();
  server.on('error', reject);
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
  });
  return promise;
}
