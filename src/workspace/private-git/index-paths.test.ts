import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { git, testProject, writeFiles } from '../testing/test-project.ts';
import { indexPaths } from './make-private-git.ts';

function repository(files: Record<string, string>, ...init: readonly string[]) {
  const { project } = testProject(files);
  git(project, 'init', '-q', ...init);
  git(project, 'add', '-A');
  git(project, 'commit', '-qm', 'first');
  return { project, read: () => readFileSync(join(project, '.git/index')) };
}

const listed = (project: string): readonly string[] => git(project, 'ls-files', '-z').split('\0').slice(0, -1);

const FILES = { 'a.txt': 'a', 'b/c.txt': 'c', 'b/dd.txt': 'd', 'long name with é and a\nbreak': 'e' };

test('[SM11] an index is read as git reads it', () => {
  const long = `${'deep/'.repeat(900)}file`;
  const { project, read } = repository(FILES);
  const id = git(project, 'hash-object', '-w', 'a.txt').trim();
  git(project, 'update-index', '--add', '--cacheinfo', `100644,${id},${long}`);
  const paths = indexPaths(read(), 20)?.map((path) => Buffer.from(path, 'latin1').toString('utf8'));
  expect(paths).toEqual(listed(project));
  expect(paths).toHaveLength(5);
});

test('[SM11] one with longer hashes is read, too', () => {
  const { project, read } = repository({ 'a.txt': 'a', 'b/c.txt': 'c' }, '--object-format=sha256');
  expect(indexPaths(read(), 32)).toEqual(listed(project));
});

test('[SM11] files that git is set to skip are not among the paths', () => {
  const { project, read } = repository({ 'a.txt': 'a', 'b.txt': 'b' });
  git(project, 'update-index', '--skip-worktree', 'a.txt');
  writeFiles(project, { 'c.txt': 'c' });
  git(project, 'add', '-N', 'c.txt');
  expect(indexPaths(read(), 20)).toEqual(['b.txt', 'c.txt']);
});

test('[SM11] forms that only git reads are left to git', () => {
  const { project, read } = repository(FILES);
  git(project, 'update-index', '--index-version', '4');
  expect(indexPaths(read(), 20)).toBeNull();
  git(project, 'update-index', '--index-version', '2');
  expect(indexPaths(read(), 20)).toHaveLength(4);
  git(project, 'update-index', '--split-index');
  expect(indexPaths(read(), 20)).toBeNull();
});

test('[SM11] a damaged index is left to git, wherever it is cut or whatever it counts', () => {
  const { read } = repository(FILES);
  const whole = read();
  const cut = Array.from(whole, (_, length) => indexPaths(whole.subarray(0, length), 20));
  // Without what stands after the entries nothing is missing but that.
  expect(cut.filter((paths) => paths !== null && paths.length !== 4)).toEqual([]);
  const counted = Buffer.from(whole);
  counted.writeUInt32BE(0xffffffff, 8);
  expect(indexPaths(counted, 20)).toBeNull();
});
