import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { isFault } from '../../core/model/fault.ts';
import { runId } from '../../core/model/ids.ts';
import type { WorkspaceSettings } from '../../workspace/port.ts';
import { writeFiles } from '../../workspace/testing/test-project.ts';
import { EMPTY_CONFIG } from '../config/config.ts';
import { createWorkbench } from './workbench.ts';

function testBench(workspaces: WorkspaceSettings) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'workbench-')));
  const [home, project] = [join(base, 'home'), join(base, 'project')];
  for (const folder of [home, project]) mkdirSync(folder);
  const config = { ...EMPTY_CONFIG, workspaces };
  const bench = createWorkbench({ home, project, config, environment: process.env });
  onTestFinished(async () => {
    await bench.close();
    rmSync(base, { recursive: true, force: true });
  });
  return { bench, home, project };
}

const never = new AbortController().signal;

/** Counts who comes. */
async function visited() {
  let visits = 0;
  const server = createServer((socket) => {
    visits += 1;
    socket.end('hello');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { port, visits: () => visits };
}

test('[L8] setup has the network on what the run began with, and never on what an agent wrote', async () => {
  const { bench, project } = testBench({ setup: 'bash setup.sh' });
  const { port, visits } = await visited();
  const fetching = `exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3`;
  writeFiles(project, { 'setup.sh': fetching });
  const { tree } = await bench.workspaces.begin(project);
  const asked = { root: runId('r1'), project, began: tree };
  const main = await bench.workspaces.open({ ...asked, name: 'main', tree });
  expect(visits()).toBe(1);
  writeFiles(main.folder, { 'setup.sh': `${fetching} # and more` });
  const later = await main.record();
  const error: unknown = await bench.workspaces
    .open({ ...asked, name: 'two', tree: later })
    .catch((why: unknown) => why);
  expect(visits()).toBe(1);
  expect(isFault(error) && error).toMatchObject({ code: 'SETUP_FAILED', facts: { network: false } });
  expect(isFault(error) && error.message).toContain('without the network since agents have worked on these files');
  await bench.workspaces.open({ ...asked, name: 'three', tree });
  expect(visits()).toBe(2);
});

test('[L7] who is stopped while waiting for the second of two gives back the first', async () => {
  const { bench, home } = testBench({ resources: { a: { kind: 'mutex' }, b: { kind: 'mutex' } } });
  const releaseB = await bench.holdResources(['b'], 'r1', never);
  const stop = new AbortController();
  const waiting = bench.holdResources(['b', 'a'], 'r2', stop.signal);
  const mutex = (path: string): string => join(home, 'leases/mutex', path);
  await vi.waitUntil(() => readdirSync(mutex('b/queue')).length > 0, 30_000);
  expect(existsSync(mutex('a/held'))).toBe(true);
  stop.abort();
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  expect(existsSync(mutex('a/held'))).toBe(false);
  await releaseB();
  await (
    await bench.holdResources(['a', 'b'], 'r3', never)
  )();
});

test('[PH9] what was read for a search is kept in the engine’s home for the next one', async () => {
  const { bench, home, project } = testBench({});
  writeFiles(project, { 'README.md': '# Animals\n\nA zebra has stripes.\n' });
  const ask = { query: 'zebra', limit: 3, signal: never };
  expect(await bench.services.knowledge?.search(project, ask)).toMatchObject({ passages: [{ path: 'README.md' }] });
  await bench.close();
  expect(readdirSync(join(home, 'knowledge'))).toHaveLength(1);
});
