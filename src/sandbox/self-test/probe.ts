/**
 * What the self-test runs inside of a box: it tries everything that must not work and tells what did. Node is the one
 * program that is there for certain. Written for `node -e`, with a `ProbeOrder` as its input, since its arguments could be found where it looks.
 */
export const PROBE = String.raw`
  const fs = require('node:fs'), net = require('node:net'), { spawn } = require('node:child_process');
  const order = JSON.parse(fs.readFileSync(0, 'utf8'));
  const works = (action) => { try { action(); return true; } catch { return false; } };
  const read = (file) => { try { return fs.readFileSync(file, 'latin1'); } catch { return ''; } };
  const pids = fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const anyProcess = (file, text) => pids.some((pid) => read('/proc/' + pid + '/' + file).includes(text));
  const report = {
    wroteInside: works(() => fs.writeFileSync(order.inside, 'x')),
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
  /** Files that must not be read. */
  readonly hidden: readonly string[];
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
  readonly wroteOutside: readonly string[];
  readonly readHidden: readonly string[];
  readonly sawProcess: boolean;
  readonly sawSecret: boolean;
  readonly reachedLoopback: boolean;
}
