import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runId } from '../../core/model/ids.ts';
import { createShell, type Shell } from '../../tools/shell.ts';
import { testSandbox } from '../../tools/testing/test-sandbox.ts';
import { testProject } from '../../workspace/testing/test-project.ts';
import { testWorkspaces } from '../../workspace/testing/test-workspaces.ts';
import { verifyMerged } from './verify-merged.ts';

const shell = createShell({ sandbox: testSandbox(), hidden: [], environment: { PATH: process.env['PATH'] } });

async function checkable() {
  const { project, home } = testProject({ 'a.txt': 'x' });
  const { workspaces } = testWorkspaces({ project, home });
  const { tree } = await workspaces.begin(project);
  const check = async (command: string, more: { timeoutMs?: number; signal?: AbortSignal; shell?: Shell } = {}) => {
    const { signal = new AbortController().signal, shell: own = shell, ...rest } = more;
    const result = { run: runId('r1'), project, began: tree };
    return await verifyMerged({ world: { workspaces, shell: own } }, result, { tree, command, signal, ...rest });
  };
  return check;
}

test('[L3] a check that never ends is stopped at its time limit, and there is a default limit', async () => {
  const check = await checkable();
  expect(await check('sleep 60', { timeoutMs: 100 })).toMatchObject({
    kind: 'result.not-verified',
    exitCode: null,
    reason: expect.stringContaining('too long'),
  });
  const limits: unknown[] = [];
  const listening: Shell = (command, options) => {
    limits.push(options.timeoutMs);
    return shell(command, options);
  };
  expect(await check('grep -q x a.txt', { shell: listening })).toBeNull();
  expect(limits).toEqual([30 * 60_000]);
});

test('[L10] a check that is stopped, before it began or while it runs, has not succeeded', async () => {
  const check = await checkable();
  expect(await check('true', { signal: AbortSignal.abort() })).toMatchObject({
    kind: 'result.not-verified',
    exitCode: null,
  });
  expect(await check('sleep 60', { signal: AbortSignal.timeout(300) })).toMatchObject({ exitCode: null });
});

test('[L4] two checks of one run have a folder each, and a green one leaves none behind', async () => {
  const check = await checkable();
  const folders: string[] = [];
  const both = Promise.withResolvers<void>();
  const listening: Shell = async (command, options) => {
    if (folders.push(options.place.folder) === 2) both.resolve();
    await both.promise;
    return await shell(command, options);
  };
  const once = 'test ! -e b.txt && touch b.txt';
  expect(await Promise.all([check(once, { shell: listening }), check(once, { shell: listening })])).toEqual([
    null,
    null,
  ]);
  expect(new Set(folders).size).toBe(2);
  expect(folders.filter((folder) => existsSync(folder))).toEqual([]);
});
