import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { git } from '../workspace/testing/test-project.ts';
import { gitDiffTool } from './git-tools.ts';
import { call, testFolder } from './testing/test-folder.ts';

function repository(): string {
  const folder = testFolder({ 'a.txt': 'one\n', '.gitignore': 'ignored.txt\n' });
  git(folder, 'init', '-q');
  git(folder, 'add', '-A');
  git(folder, 'commit', '-q', '-m', 'first');
  return folder;
}

test('[A7] git_diff shows new files, and leaves the index of the repository as it is', async () => {
  const folder = repository();
  mkdirSync(join(folder, 'sub'));
  writeFileSync(join(folder, 'sub/new.txt'), 'brand new\n');
  writeFileSync(join(folder, 'ignored.txt'), 'not for anyone\n');
  writeFileSync(join(folder, 'a.txt'), 'two\n');
  const { content } = await call(gitDiffTool, {}, { folder });
  expect(content).toContain('+brand new');
  expect(content).toContain('+two');
  expect(content).not.toContain('not for anyone');
  expect(git(folder, 'status', '--short')).toContain('?? sub/');
  expect((await call(gitDiffTool, { path: 'a.txt' }, { folder })).content).not.toContain('brand new');
});

test('[A7] a repository inside the project and a link that leads outside do not break or enlarge the diff', async () => {
  const folder = repository();
  mkdirSync(join(folder, 'inner'));
  git(join(folder, 'inner'), 'init', '-q');
  writeFileSync(join(folder, 'inner/x.txt'), 'inner\n');
  symlinkSync('/etc/hostname', join(folder, 'link'));
  const { content, isError } = await call(gitDiffTool, {}, { folder });
  expect(isError ?? false).toBe(false);
  expect(content).not.toContain('+inner');
  expect(content).toContain('+/etc/hostname');
});
