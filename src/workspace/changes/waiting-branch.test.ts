import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { waitingBranches } from './waiting-branch.ts';

let project = '';
const git = (...words: string[]): void =>
  void execFileSync('git', ['-c', 'user.name=ann', '-c', 'user.email=ann@localhost', ...words], {
    cwd: project,
    stdio: 'ignore',
  });

function commit(text: string): void {
  writeFileSync(join(project, 'a.txt'), text);
  git('add', '-A');
  git('commit', '-m', text);
}

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'troupe-waiting-'));
  git('init', '-b', 'main');
  commit('before');
  git('checkout', '-b', 'troupe/r1');
  commit('after');
  git('checkout', 'main');
});

afterEach(() => rmSync(project, { recursive: true, force: true }));

const CASES: readonly (readonly [string, () => void, boolean])[] = [
  ['it was not taken', () => undefined, true],
  ['it was merged by hand', () => git('merge', '--no-ff', '-m', 'take', 'troupe/r1'), false],
  ['it was merged and deleted', mergeAndDelete, false],
  ['the same files were committed another way', () => commit('after'), false],
  ['something else was committed', () => commit('other'), true],
];

function mergeAndDelete(): void {
  git('merge', 'troupe/r1');
  git('branch', '-D', 'troupe/r1');
}

const isWaiting = async (): Promise<boolean> => (await waitingBranches(project, ['troupe/r1'])).has('troupe/r1');

test.for(CASES)('[L4] the changes on a branch wait or not: %s', async ([, act, waits]) => {
  act();
  expect(await isWaiting()).toBe(waits);
});

test('[L4] the branch of a project that is no repository any more, or is gone, still waits', async () => {
  rmSync(join(project, '.git'), { recursive: true });
  expect(await isWaiting()).toBe(true);
  rmSync(project, { recursive: true });
  expect(await isWaiting()).toBe(true);
});

test('[L4] of many branches, only those that were not taken wait', async () => {
  git('branch', 'troupe/r1-copy', 'troupe/r1');
  git('checkout', '-b', 'troupe/r2', 'main');
  commit('another');
  git('checkout', 'main');
  const all = ['troupe/r1', 'troupe/r1-copy', 'troupe/r2', 'troupe/gone'];
  expect([...(await waitingBranches(project, all))]).toEqual(['troupe/r1', 'troupe/r1-copy', 'troupe/r2']);
  git('merge', 'troupe/r1');
  expect([...(await waitingBranches(project, all))]).toEqual(['troupe/r2']);
});
