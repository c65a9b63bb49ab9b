import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';

import { isAlive, isSameProcess, ownIdentity } from './process-identity.ts';

const isLinux = process.platform === 'linux';

test('[J3] this process is alive, and itself', () => {
  const own = ownIdentity();
  expect(own.pid).toBe(process.pid);
  expect(isAlive(own)).toBe(true);
  expect(isSameProcess(own, { ...own })).toBe(true);
  expect(isSameProcess(own, { ...own, startedAt: 'earlier' })).toBe(false);
});

test('[J3] on Linux the start and the boot are known, elsewhere the pid alone decides', () => {
  const { startedAt, bootId } = ownIdentity();
  expect([startedAt !== null, bootId !== null]).toEqual([isLinux, isLinux]);
});

test('[J3] a pid that was used again, or is from before the last boot, is not the same process', () => {
  const own = ownIdentity();
  expect(isAlive({ ...own, startedAt: '1' })).toBe(!isLinux);
  expect(isAlive({ ...own, bootId: 'another boot' })).toBe(!isLinux);
  expect(isAlive({ ...own, startedAt: null, bootId: null })).toBe(true);
});

test('[J3] a process is dead once it was killed', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  await once(child, 'spawn');
  const identity = { pid: child.pid ?? 0, startedAt: null, bootId: null };
  expect(isAlive(identity)).toBe(true);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(isAlive(identity)).toBe(false);
});

test('[J3] a process of another user counts as alive', () => {
  expect(isAlive({ pid: 1, startedAt: null, bootId: null })).toBe(true);
});
