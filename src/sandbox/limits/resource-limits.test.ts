import { existsSync } from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { systemProgram } from '../../lib/process-tree.ts';
import { limitPrefix, ownCeilings, parseCeilings } from './box-limits.ts';

const LIMITS = `Limit                     Soft Limit           Hard Limit           Units
Max cpu time              unlimited            unlimited            seconds
Max processes             100                  200                  processes
Max open files            1024                 20000                files
`;

test('[L7] limits that are there already are read, unlimited ones are none', () => {
  expect(parseCeilings(LIMITS)).toEqual({ processes: 200, 'open files': 20_000 });
  expect(parseCeilings('')).toEqual({});
});

test.runIf(process.platform === 'linux')('[L7] the own limits can be read', () => {
  expect(ownCeilings()['open files']).toBeGreaterThan(0);
});

test.skipIf(systemProgram('prlimit') === '')(
  '[L7] no limit is set above one that is there, which the kernel would refuse',
  () => {
    const args = limitPrefix(
      { processes: 500, cpuSeconds: 3 },
      { countsProcesses: true, ceilings: parseCeilings(LIMITS) },
    );
    expect(args).toContain('--nproc=200');
    expect(args).toContain('--nofile=20000');
    expect(args).toContain('--cpu=3');
  },
);

test.skipIf(systemProgram('prlimit') === '')(
  '[L7] null takes a limit away, and processes are counted only where that is right',
  () => {
    const args = limitPrefix({ memoryBytes: null, openFiles: null }, { countsProcesses: false, ceilings: {} });
    expect(args.filter((word) => /data|nofile|nproc|cpu/.test(word))).toEqual([]);
    expect(args).toContain(`--fsize=${4 * 2 ** 30}`);
  },
);

test("[L7] two copies of this code in one process do not take each other's control group away", async ({ skip }) => {
  const copies = [];
  for (let copy = 0; copy < 2; copy += 1) {
    vi.resetModules();
    copies.push(await import('./box-limits.ts'));
  }
  const open = copies.map(({ openLimits }) => openLimits({ processes: 10 }, 'control-group'));
  onTestFinished(async () => void (await Promise.all(open.map(({ remove }) => remove()))));
  const files = open.flatMap(({ outer }) => outer.slice(3));
  skip(files.length === 0, 'Control groups cannot be made here.');
  expect(new Set(files).size).toBe(2);
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
});
