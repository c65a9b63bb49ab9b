import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { isAtOrBelow, folderNames, systemPaths } from '../declared/system-paths.ts';
import { setTimeout as delay } from 'node:timers/promises';
import { orElse } from '../../lib/or-else.ts';

/**
 * The program that the self-test runs inside a box: it tries everything that must not work and reports what did. Node is the
 * one program that certainly exists. Written for `node -e`, with a `ProbeOrder` as its input, since its arguments could be
 * found where it looks.
 */
export const PROBE = String.raw`
  const fs = require('node:fs'), net = require('node:net'), { spawn, spawnSync } = require('node:child_process');
  const { O_WRONLY, O_NONBLOCK } = fs.constants;
  const order = JSON.parse(fs.readFileSync(0, 'utf8'));
  const works = (action) => { try { action(); return true; } catch { return false; } };
  const read = (file) => { try { return fs.readFileSync(file, 'latin1'); } catch { return ''; } };
  const pids = fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const anyProcess = (file, text) => pids.some((pid) => read('/proc/' + pid + '/' + file).includes(text));
  const names = (folder) => { try { return fs.readdirSync(folder, { withFileTypes: true }); } catch { return []; } };
  const filesIn = (folder) => names(folder).flatMap((entry) => {
    const path = folder + '/' + entry.name;
    return entry.isDirectory() ? filesIn(path) : [path];
  });
  // Opened and closed, never written.
  const opens = (file) => works(() => fs.closeSync(fs.openSync(file, O_WRONLY | O_NONBLOCK)));
  const wroteInside = works(() => fs.writeFileSync(order.inside, 'x'));
  const end = Date.now() + 5000;
  while (!fs.existsSync(order.goOn) && Date.now() < end) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
  }
  const report = {
    wroteInside,
    openedKnobs: order.knobs === null ? [] : [...new Set([...filesIn('/proc/sys'), ...order.knobs])].filter(opens),
    changedOutside: order.hidden.filter((file) => works(() => fs.chmodSync(file, 0o644))),
    seen: Object.fromEntries(order.folders.map((folder) => [folder, names(folder).map(({ name }) => name)])),
    status: read('/proc/self/status'),
    madeNamespace: spawnSync('unshare', ['--user', 'true']).status === 0,
    wroteOutside: order.outside.filter((file) => works(() => fs.writeFileSync(file, 'x'))),
    readHidden: order.hidden.filter((file) => read(file) !== ''),
    sawProcess: anyProcess('cmdline', order.stranger),
    sawSecret: anyProcess('environ', order.secret) || JSON.stringify(process.env).includes(order.secret),
  };
  spawn('/bin/sh', ['-c', 'trap "" TERM HUP; sleep 60; :', order.orphan], { detached: true, stdio: 'ignore' }).unref();
  const socket = net.connect({ host: '127.0.0.1', port: order.port });
  const finish = (reachedLoopback) => {
    console.log(JSON.stringify({ ...report, reachedLoopback }));
    process.exit(0);
  };
  socket.on('connect', () => finish(true));
  socket.on('error', () => finish(false));
  setTimeout(() => finish(false), 2000);
`;

export interface ProbeOrder {
  /** A file in a lent folder. */
  readonly inside: string;
  /** Files that must not be created. */
  readonly outside: readonly string[];
  /** Files that must not be read or changed: they are neither lent nor named as hidden. */
  readonly hidden: readonly string[];
  /** Folders whose names are listed. */
  readonly folders: readonly string[];
  /** Files by which the kernel is steered, besides those in /proc/sys; null tries none. */
  readonly knobs: readonly string[] | null;
  /** Created when the process was observed from outside. */
  readonly goOn: string;
  /** Text in the command line of a process outside. */
  readonly stranger: string;
  /** Text in the environment of a process outside. */
  readonly secret: string;
  /** Marks a process that is left behind. */
  readonly orphan: string;
  /** A port on the loopback interface with a listener. */
  readonly port: number;
}

export interface ProbeReport {
  readonly wroteInside: boolean;
  /** Could be opened for writing. */
  readonly openedKnobs: readonly string[];
  readonly changedOutside: readonly string[];
  readonly seen: SeenFolders;
  /** What the kernel says of the process. */
  readonly status: string;
  readonly madeNamespace: boolean;
  readonly wroteOutside: readonly string[];
  readonly readHidden: readonly string[];
  readonly sawProcess: boolean;
  readonly sawSecret: boolean;
  readonly reachedLoopback: boolean;
}

/**
 * The possible failures. `broken`: it could not be tried, or does not let a program do its work. `changing`: modes of files
 * outside.
 */
type BreachName =
  | ('broken' | 'writing' | 'changing' | 'reading' | 'knobs' | 'powers')
  | ('boundingSet' | 'rootId' | 'namespaces' | 'network' | 'processes' | 'survivors');

/** What a sandbox failed to prevent: a sentence for each kind, or null. */
export type Breaches = Partial<AllBreaches>;

type AllBreaches = Readonly<Record<BreachName, string | null>>;

export interface TriedSandbox {
  readonly report: ProbeReport;
  readonly order: ProbeOrder;
  readonly lent: readonly string[];
  /** Host ids of the test program. */
  readonly ids: readonly number[];
}

export function breaches({ report, order, lent, ids }: TriedSandbox): AllBreaches {
  // Inside, a file may be created that is never seen outside. Only files outside count.
  const written = order.outside.filter((file) => existsSync(file));
  const { openedKnobs } = report;
  const isWorking = report.wroteInside && existsSync(order.inside);
  return {
    broken: when(!isWorking, 'a lent folder could not be written'),
    writing: when(written.length > 0, `${written.join(', ')} was written`),
    changing: when(report.changedOutside.length > 0, 'modes, owners and times of own files can be changed'),
    reading: readingBreach(report, lent),
    knobs: when(
      openedKnobs.length > 0,
      `${openedKnobs.length} settings of the kernel are open, such as ${openedKnobs[0]}`,
    ),
    powers: powersBreach(report.status),
    boundingSet: when(isHeld(report.status, 'CapBnd'), 'powers of root are within bounds (CapBnd)'),
    rootId: when(ids.length === 0 || ids.includes(0), "commands keep root's user id, without its powers"),
    namespaces: when(report.madeNamespace, 'user namespaces can be made inside'),
    network: when(report.reachedLoopback, 'TCP connections can be made'),
    processes: when(report.sawProcess || report.sawSecret, 'processes outside can be seen'),
    survivors: when(isRunning(order.orphan), 'a process outlived the command'),
  };
}

const when = (isBreached: boolean, sentence: string): string | null => (isBreached ? sentence : null);

function readingBreach({ readHidden, seen }: ProbeReport, lent: readonly string[]): string | null {
  if (readHidden.length > 0) return 'files that are not lent can be read';
  const more = undeclaredNames(seen, lent);
  return when(more.length > 0, `undeclared files can be seen, such as ${more.slice(0, 3).join(', ')}`);
}

const isHeld = (status: string, name: string): boolean => !new RegExp(`^${name}:\\s+0+$`, 'm').test(status);

function powersBreach(status: string): string | null {
  const held = ['CapInh', 'CapPrm', 'CapEff', 'CapAmb'].filter((name) => isHeld(status, name));
  if (held.length > 0) return `commands have powers of root (${held.join(', ')})`;
  return /^NoNewPrivs:\s+1$/m.test(status) ? null : 'commands can gain powers by programs that have them';
}

const isRunning = (mark: string): boolean =>
  readdirSync('/proc').some((pid) => readProc(pid, 'cmdline').includes(mark));

/**
 * Folders of this machine that a command may at most pass through: `/srv`, `/opt`, `/home`, and those around what is lent,
 * where other projects may lie. Inside of a box their only names are those that lead to something declared.
 */
export function undeclaredFolders(lent: readonly string[]): readonly string[] {
  const declared = declaredPaths(lent);
  const tops = ['/', '/var'].flatMap((folder) => [folder, ...foldersIn(folder)]);
  const around = [...lent, homedir(), process.cwd()].flatMap(ancestors);
  const inDeclared = (folder: string): boolean => declared.some((path) => isAtOrBelow(folder, path));
  return [...new Set([...tops, ...around, '/etc'])].filter((folder) => !inDeclared(folder));
}

/** What a command sees in these folders beyond what is declared. */
function undeclaredNames(seen: SeenFolders, lent: readonly string[]): readonly string[] {
  const declared = declaredPaths(lent);
  return Object.entries(seen).flatMap(([folder, names]) => {
    const below = declared.filter((path) => isAtOrBelow(path, folder));
    const onTheWay = new Set(below.map((path) => relative(folder, path).split('/')[0]));
    return names.filter((name) => !onTheWay.has(name)).map((name) => join(folder, name));
  });
}

/** Names by folder. */
type SeenFolders = Readonly<Record<string, readonly string[]>>;

const MADE = ['/dev', '/proc', '/tmp', '/var/tmp'];

const declaredPaths = (lent: readonly string[]): readonly string[] =>
  [...systemPaths().map(({ path }) => path), ...MADE, ...lent, ...lent.map((path) => realpathSync(path))].concat(
    process.execPath,
  );

const ancestors = (path: string): readonly string[] =>
  path === '/' ? [] : [dirname(path), ...ancestors(dirname(path))];

function foldersIn(folder: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
}

/**
 * The user ids, as this process sees them, of all processes whose arguments carry the mark: taken when the test program has
 * made its first file, which then goes on.
 */
export async function hostIds(mark: string, files: Handshake): Promise<readonly number[]> {
  while (!files.signal.aborted && !existsSync(files.ready)) await delay(5);
  const ids = readdirSync('/proc').flatMap((pid) => {
    if (!readProc(pid, 'cmdline').includes(mark)) return [];
    return Number(/^Uid:\s+(\d+)/m.exec(readProc(pid, 'status'))?.[1] ?? 'NaN');
  });
  if (!files.signal.aborted) writeFileSync(files.goOn, '');
  return [...new Set(ids)];
}

export interface Handshake {
  readonly ready: string;
  readonly goOn: string;
  /** The test program has ended. */
  readonly signal: AbortSignal;
}

function readProc(pid: string, file: string): string {
  return orElse(() => (/^\d+$/.test(pid) ? readFileSync(`/proc/${pid}/${file}`, 'latin1') : ''), '');
}

/**
 * Writable files that steer the kernel, found from outside: inside, a folder may be unlistable while its files can be
 * opened. Those of the tracing system are left out, since even closing one has an effect.
 */
export function kernelKnobs(): readonly string[] {
  const inProc = readdirSync('/proc').filter((name) => !/^(?:\d+|self|thread-self)$/.test(name));
  const folders = [...inProc.map((name) => join('/proc', name)), ...IN_SYS];
  return folders.flatMap((path) => writableIn(path, MAX_DEPTH));
}

const IN_SYS = ['kernel/mm', 'kernel/uevent_helper', 'power', 'module', 'fs/cgroup', 'devices/system/cpu'].map((name) =>
  join('/sys', name),
);
const MAX_DEPTH = 8;

function writableIn(path: string, depth: number): readonly string[] {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isFile() === true) return (stats.mode & 0o222) === 0 ? [] : [path];
  if (stats?.isDirectory() !== true || depth === 0) return [];
  return folderNames(path).flatMap((name) => writableIn(join(path, name), depth - 1));
}
