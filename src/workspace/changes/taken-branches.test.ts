import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { takenBranches } from './user-refs.ts';

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

const CASES: readonly (readonly [string, () => void, string | undefined])[] = [
  ['it was not taken', () => undefined, undefined],
  ['it was merged by hand', () => git('merge', '--no-ff', '-m', 'take', 'troupe/r1'), 'merged'],
  ['it was merged and deleted', mergeAndDelete, 'branch-gone'],
  ['the same files were committed another way', () => commit('after'), 'merged'],
  ['something else was committed', () => commit('other'), undefined],
];

function mergeAndDelete(): void {
  git('merge', 'troupe/r1');
  git('branch', '-D', 'troupe/r1');
}

const taken = async () => (await takenBranches(project, ['troupe/r1'])).get('troupe/r1');

test.for(CASES)('[R1] git says what became of a branch: %s', async ([, act, expected]) => {
  act();
  expect(await taken()).toBe(expected);
});

test('[L4] the branch of a project that is no repository any more, or is gone, still waits', async () => {
  rmSync(join(project, '.git'), { recursive: true });
  expect(await taken()).toBe(undefined);
  rmSync(project, { recursive: true });
  expect(await taken()).toBe(undefined);
});

test('[L4] of many branches, only those that were not taken wait', async () => {
  git('branch', 'troupe/r1-copy', 'troupe/r1');
  git('checkout', '-b', 'troupe/r2', 'main');
  commit('another');
  git('checkout', 'main');
  const all = ['troupe/r1', 'troupe/r1-copy', 'troupe/r2', 'troupe/gone'];
  expect([...(await takenBranches(project, all)).keys()]).toEqual(['troupe/gone']);
  git('merge', 'troupe/r1');
  expect([...(await takenBranches(project, all)).keys()]).toEqual(['troupe/r1', 'troupe/r1-copy', 'troupe/gone']);
});
