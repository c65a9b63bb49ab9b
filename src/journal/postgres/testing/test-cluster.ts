import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

import pg from 'pg';

/** A private server for the tests of one file, on the loopback interface. */
export interface TestCluster {
  readonly port: number;
  /** Makes a database and returns its address. */
  readonly database: (options?: string) => Promise<string>;
  /** Runs a statement in the database of this address. */
  readonly query: (address: string, statement: string) => Promise<readonly unknown[]>;
  /** As after a power failure, and up again unless `isDown`. */
  readonly stopHard: () => void;
  readonly start: () => void;
  readonly dispose: () => void;
}

/** Where Debian and others put the programs of the server. */
export function serverPrograms(): string | undefined {
  const parent = '/usr/lib/postgresql';
  const versions = existsSync(parent) ? readdirSync(parent).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...versions.map((version) => join(parent, version, 'bin')), '/usr/local/bin', '/opt/homebrew/bin'];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'pg_ctl')));
}

/** Whether tests can have a server: its programs are there and, for root, a user that may run them. */
export const hasServer = (): boolean => serverPrograms() !== undefined && (!isRoot() || account() !== undefined);

const isRoot = (): boolean => process.getuid?.() === 0;

/** Commits are synced, as servers are shipped: for measuring. Null where none is installed. */
export const startDurableCluster = async (): Promise<TestCluster | null> =>
  hasServer() ? await startCluster({ isDurable: true }) : null;

interface ClusterOptions {
  readonly isDurable?: boolean;
  /** Machines that may use it too. */
  readonly network?: { readonly here: string; readonly range: string };
  /** Without one, everybody is let in. */
  readonly password?: string;
}

/** Without waits for the disk unless `isDurable`: what a test kills is the server, not the machine. */
export async function startCluster({
  isDurable = false,
  network,
  password,
}: ClusterOptions = {}): Promise<TestCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-postgres-'));
  const programs = serverPrograms() ?? '';
  const user = serverAccount();
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const port = await freePort();
  const run = (program: string, ...args: readonly string[]): void => {
    const { status, stderr } = spawnSync(resolve(programs, program), args, {
      cwd: folder,
      env: { HOME: folder, PATH: `${programs}:/usr/bin:/bin`, LC_ALL: 'C.UTF-8' },
      encoding: 'utf8',
      stdio: ['ignore', 'ignore', program === 'pg_ctl' ? 'ignore' : 'pipe'],
      ...(user === undefined ? {} : { uid: user.uid, gid: user.gid }),
    });
    if (status !== 0) throw new Error(`${program} ended with ${String(status)}: ${stderr ?? logOf(folder)}`);
  };
  const listening = ['127.0.0.1', ...(network === undefined ? [] : [network.here])].join();
  const pairs = `-c listen_addresses=${listening} -c max_connections=200${isDurable ? '' : ' -c fsync=off'}`;
  const start = (): void =>
    run('pg_ctl', '-D', data, '-w', '-l', join(folder, 'log'), '-o', `-p ${port} -k ${folder} ${pairs}`, 'start');
  const stopHard = (): void => run('pg_ctl', '-D', data, '-w', '-m', 'immediate', 'stop');
  makeFiles(data, password, run);
  if (network !== undefined) appendFileSync(join(data, 'pg_hba.conf'), `host all all ${network.range} trust\n`);
  start();
  return {
    port,
    database: (options = '') => makeDatabase(serverAddress(port, password), options),
    query,
    stopHard,
    start,
    dispose: () => {
      stopHard();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type RunProgram = (program: string, ...args: readonly string[]) => void;

/** The files of a new cluster are always the same: making them takes ten times as long as copying them. */
function makeFiles(data: string, password: string | undefined, run: RunProgram): void {
  const initialize = (place: string): void =>
    run('initdb', '-D', place, ...NEW_CLUSTER, ...doorOf(dirname(data), password));
  if (password !== undefined) {
    initialize(data);
    return;
  }
  // Of this very server: another one may not read them.
  const server = Math.floor(statSync(join(serverPrograms() ?? '', 'postgres')).mtimeMs);
  const template = join(tmpdir(), `troupe-postgres-template-${server}-${serverAccount()?.uid ?? 'own'}`);
  if (!isWhole(template)) {
    rmSync(template, { recursive: true, force: true });
    initialize(`${data}-template`);
    try {
      renameSync(`${data}-template`, template);
    } catch (error) {
      // Another process was faster.
      if (!isWhole(template)) throw error;
    }
  }
  run('/bin/cp', '-a', template, data);
}

/** Temporary folders are cleaned of old files one by one. */
const isWhole = (template: string): boolean =>
  ['PG_VERSION', 'global/pg_control', 'pg_wal', 'base/1/PG_VERSION', 'postgresql.conf'].every((name) =>
    existsSync(join(template, name)),
  );

const NEW_CLUSTER = '-U troupe -E UTF8 --locale=C.UTF-8 --no-sync'.split(' ');

const serverAddress = (port: number, password: string | undefined): string =>
  `postgres://troupe${password === undefined ? '' : `:${password}`}@127.0.0.1:${port}`;

function doorOf(folder: string, password: string | undefined): readonly string[] {
  if (password === undefined) return ['-A', 'trust'];
  const file = join(folder, 'password');
  writeFileSync(file, password, { mode: 0o644 });
  return ['-A', 'scram-sha-256', `--pwfile=${file}`];
}

interface ServerAccount {
  readonly uid: number;
  readonly gid: number;
}

const logOf = (folder: string): string => readFileSync(join(folder, 'log'), 'utf8').slice(-2000);

let databases = 0;

async function makeDatabase(server: string, options: string): Promise<string> {
  databases += 1;
  const name = `test_${process.pid}_${databases}`;
  await query(`${server}/postgres`, `create database ${name} ${options}`);
  return `${server}/${name}`;
}

async function query(address: string, statement: string): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

/** Who runs the server where this process is root's, as which it refuses to run. */
export const serverAccount = (): ServerAccount | undefined => (isRoot() ? account() : undefined);

function account(): ServerAccount | undefined {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((one) => one.startsWith('postgres:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  return uid === undefined || gid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) };
}

/** Below the range that the system takes for outgoing connections: one of those could take the port first. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = 15_000 + Math.floor(Math.random() * 17_000);
    if (await isFree(port)) return port;
  }
  throw new Error('No free port was found below 32768.');
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
