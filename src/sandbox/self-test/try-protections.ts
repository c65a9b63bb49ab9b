import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../lib/make-folder.ts';
import type { Sandbox, SandboxedResult } from '../port.ts';
import { PROBE } from './probe.ts';
import type { ProbeOrder, ProbeReport } from './probe.ts';

/** Tries out what a sandbox must keep from happening. Each breach is a sentence. A failure to run at all is one as well. */
export async function tryProtections(sandbox: Sandbox, scratch: string): Promise<Breaches> {
  const stage = await openStage(scratch);
  try {
    const { order } = stage;
    const result = await sandbox.run([process.execPath, '-e', PROBE], {
      stdin: JSON.stringify(order),
      cwd: dirname(order.inside),
      env: { PATH: '/usr/bin:/bin' },
      folders: [
        { path: dirname(process.execPath), access: 'read' },
        { path: dirname(order.inside), access: 'write' },
      ],
      hidden: order.hidden.map((file) => dirname(file)),
      network: false,
      timeoutMs: TEST_MS,
    });
    const report = reportOf(result);
    return typeof report === 'string' ? { ...NO_BREACH, broken: report } : breaches(report, order);
  } finally {
    await stage.close();
  }
}

export interface Breaches {
  /** It could not be tried, or does not let a program do its work. */
  readonly broken: string | null;
  readonly writing: string | null;
  readonly reading: string | null;
  readonly network: string | null;
  readonly processes: string | null;
  readonly survivors: string | null;
}

const NO_BREACH: Breaches = {
  broken: null,
  writing: null,
  reading: null,
  network: null,
  processes: null,
  survivors: null,
};
const TEST_MS = 15_000;

interface Stage {
  readonly order: ProbeOrder;
  readonly close: () => Promise<void>;
}

/** Two folders of which only one is lent, a listener, and a process with a secret. */
async function openStage(scratch: string): Promise<Stage> {
  makeFolder(scratch, 0o700);
  const folders = await Promise.all([mkdtemp(join(tmpdir(), 'sandbox-test-')), mkdtemp(join(scratch, 'test-'))]);
  const names = folders.flatMap((folder) => ['lent', 'kept'].map((name) => join(folder, name)));
  await Promise.all(names.map((name) => mkdir(name)));
  const kept = folders.map((folder) => join(folder, 'kept'));
  const hidden = kept.map((folder) => join(folder, 'secret'));
  await Promise.all(hidden.map((file) => writeFile(file, 'secret')));
  const [stranger, secret, orphan] = [1, 2, 3].map(() => randomBytes(12).toString('hex'));
  const listener = await listen();
  const foreign = spawn('/bin/sh', ['-c', 'read -r line', stranger ?? ''], {
    env: { SECRET: secret },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  foreign.on('error', () => undefined);
  const outside = [...kept, '/etc', '/dev/shm'].map((folder) => join(folder, `sandbox-${orphan}`));
  return {
    order: {
      inside: join(folders[0] ?? '', 'lent', 'file'),
      outside,
      hidden,
      stranger: stranger ?? '',
      secret: secret ?? '',
      orphan: orphan ?? '',
      port: listener.port,
    },
    close: async () => {
      foreign.stdin.destroy();
      listener.close();
      // Where nothing protects, the test program has written outside.
      await Promise.all([...folders, ...outside].map((path) => rm(path, { recursive: true, force: true })));
    },
  };
}

function listen(): Promise<{ readonly port: number; readonly close: () => void }> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      resolve({ port: (server.address() as AddressInfo).port, close: () => server.close() });
    });
  });
}

/** A sentence when there is none. */
function reportOf(result: SandboxedResult): ProbeReport | string {
  if (result.startFailure !== null) return result.startFailure;
  if (result.timedOut) return `a test program did not end within ${TEST_MS} ms`;
  try {
    return JSON.parse(result.output) as ProbeReport;
  } catch {
    return `a test program ended with ${result.exitCode ?? result.signal}: ${result.errorOutput.trim().slice(0, 400)}`;
  }
}

function breaches(report: ProbeReport, order: ProbeOrder): Breaches {
  // Inside, a file may come into being that nobody will ever see. What counts is outside.
  const written = order.outside.filter((file) => existsSync(file));
  return {
    broken: report.wroteInside && existsSync(order.inside) ? null : 'a lent folder could not be written',
    writing: written.length === 0 ? null : `${written.join(', ')} was written`,
    reading: report.readHidden.length === 0 ? null : 'hidden files can be read',
    network: report.reachedLoopback ? 'TCP connections can be made' : null,
    processes: report.sawProcess || report.sawSecret ? 'processes outside can be seen' : null,
    survivors: isRunning(order.orphan) ? 'a process outlived the command' : null,
  };
}

function isRunning(mark: string): boolean {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.some((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(mark);
    } catch {
      return false;
    }
  });
}
