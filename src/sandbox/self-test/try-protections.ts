import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../lib/make-folder.ts';
import type { Sandbox, SandboxedResult } from '../port.ts';
import {
  breaches,
  type Breaches,
  hostIds,
  kernelKnobs,
  PROBE,
  type ProbeOrder,
  type ProbeReport,
  undeclaredFolders,
} from './probe.ts';

/** Tests what a sandbox must prevent. Each breach is a sentence. A failure to run at all is one as well. */
export async function tryProtections(sandbox: Sandbox, scratch: string): Promise<Breaches> {
  const stage = await openStage(scratch, sandbox.level !== 'none');
  const ended = new AbortController();
  try {
    const { order, mark } = stage;
    const ids = hostIds(mark, { ready: order.inside, goOn: order.goOn, signal: ended.signal });
    const result = await sandbox.run([process.execPath, '-e', PROBE, mark], {
      stdin: JSON.stringify(order),
      cwd: dirname(order.inside),
      env: { PATH: '/usr/bin:/bin' },
      folders: [
        { path: process.execPath, access: 'read' },
        ...stage.lent.map((path) => ({ path, access: 'write' as const })),
      ],
      hidden: [],
      network: false,
      timeoutMs: TEST_MS,
    });
    ended.abort();
    const report = reportOf(result);
    if (typeof report === 'string') return { broken: report };
    return breaches({ report, order, lent: stage.lent, ids: await ids });
  } finally {
    ended.abort();
    await stage.close();
  }
}

/** Generous: a failure on a machine that is briefly busy would be kept as not working. */
const TEST_MS = 60_000;

interface Stage {
  readonly order: ProbeOrder;
  readonly lent: readonly string[];
  /** In the arguments of the test program. */
  readonly mark: string;
  readonly close: () => Promise<void>;
}

/** Two places with two folders each, of which one is lent, a listener, and a process with a secret. */
async function openStage(scratch: string, isConfined: boolean): Promise<Stage> {
  makeFolder(scratch, 0o700);
  const folders = await Promise.all([mkdtemp(join(tmpdir(), 'sandbox-test-')), mkdtemp(join(scratch, 'test-'))]);
  const [lent = [], kept = []] = ['lent', 'kept'].map((name) => folders.map((folder) => join(folder, name)));
  await Promise.all([...lent, ...kept].map((name) => mkdir(name)));
  const hidden = kept.map((folder) => join(folder, 'secret'));
  await Promise.all(hidden.map((file) => writeFile(file, 'secret', { mode: 0o600 })));
  const [stranger = '', secret = '', orphan = '', mark = ''] = [1, 2, 3, 4].map(() => randomBytes(12).toString('hex'));
  const listener = await listen();
  const foreign = spawn('/bin/sh', ['-c', 'read -r line', stranger], {
    env: { SECRET: secret },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  foreign.on('error', () => undefined);
  const outside = [...kept, '/etc', '/dev/shm'].map((folder) => join(folder, `sandbox-${orphan}`));
  return {
    order: {
      inside: join(lent[0] ?? '', 'file'),
      goOn: join(lent[0] ?? '', 'go-on'),
      outside,
      hidden,
      folders: undeclaredFolders(lent),
      knobs: isConfined ? kernelKnobs() : null,
      stranger,
      secret,
      orphan,
      port: listener.port,
    },
    lent,
    mark,
    close: async () => {
      foreign.stdin.destroy();
      listener.close();
      // Without protection, the test program has written outside.
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
