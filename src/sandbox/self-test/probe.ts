import type { SeenFolders } from './host-folders.ts';

/**
 * What the self-test runs inside of a box: it tries everything that must not work and tells what did. Node is the one
 * program that is there for certain. Written for `node -e`, with a `ProbeOrder` as its input, since its arguments could be found where it looks.
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
  /** Files that must not come into being. */
  readonly outside: readonly string[];
  /** Files that must not be read or changed: they are neither lent nor named as hidden. */
  readonly hidden: readonly string[];
  /** Folders whose names are listed. */
  readonly folders: readonly string[];
  /** Files by which the kernel is steered, besides those in /proc/sys; null tries none. */
  readonly knobs: readonly string[] | null;
  /** Comes into being when the process was looked at from outside. */
  readonly goOn: string;
  /** Text in the command line of a process outside. */
  readonly stranger: string;
  /** Text in the environment of a process outside. */
  readonly secret: string;
  /** Marks a process that is left behind. */
  readonly orphan: string;
  /** Somebody listens there, on the loopback interface. */
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
