import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gitFiles, isGitProject } from './project-files.ts';
import { git, testProject, writeFiles } from './testing/test-project.ts';

function repository(files: Record<string, string>): string {
  const { project } = testProject(files);
  git(project, 'init', '-q');
  git(project, 'add', '-A');
  git(project, 'commit', '-qm', 'first');
  return project;
}

const listed = async (project: string): Promise<readonly string[]> => [...((await gitFiles(project)) ?? [])].sort();

test('[SM11] known files, new files and deleted ones are listed, ignored ones are not', async () => {
  const project = repository({ 'a.txt': 'a', 'b/c.txt': 'c', '.gitignore': 'out\n', '.troupe/x': 'x' });
  writeFiles(project, { 'new.txt': 'n', out: 'o' });
  expect(await listed(project)).toEqual(['.gitignore', 'a.txt', 'b/c.txt', 'new.txt']);
});

test('[SM11] a new file cannot pass for something else by its name', async () => {
  const id = '0'.repeat(40);
  const project = repository({ 'a.txt': 'a' });
  const names = [`H 160000 ${id} 0\tfake`, `160000 ${id} 0\tfake`, 'H a', '? b', 'tab\tin it', 'line\nbreak'];
  writeFiles(project, Object.fromEntries(names.map((name) => [name, 'x'])));
  expect(await listed(project)).toEqual([...names, 'a.txt'].sort());
  git(project, 'add', '-A');
  expect(await listed(project)).toEqual([...names, 'a.txt'].sort());
});

test('[SM11] repositories inside come along with their own files', async () => {
  const project = repository({ 'a.txt': 'a' });
  const inner = join(project, 'inner');
  mkdirSync(inner);
  git(inner, 'init', '-q');
  writeFileSync(join(inner, 'b.txt'), 'b');
  expect(await listed(project)).toEqual(['a.txt', 'inner/b.txt']);
  git(inner, 'add', '-A');
  git(inner, 'commit', '-qm', 'inner');
  git(project, '-c', 'advice.addEmbeddedRepo=false', 'add', 'inner');
  expect(git(project, 'ls-files', '-s', 'inner')).toMatch(/^160000 /);
  expect(await listed(project)).toEqual(['a.txt', 'inner/b.txt']);
});

test('[SM11] a folder of a repository is a part of it, unless the repository ignores it', async () => {
  const project = repository({ 'part/a.txt': 'a', '.gitignore': 'out\n', 'top.txt': 't' });
  writeFiles(project, { 'out/b.txt': 'b' });
  expect(await isGitProject(project)).toBe(true);
  expect(await listed(join(project, 'part'))).toEqual(['a.txt']);
  expect(await isGitProject(join(project, 'out'))).toBe(false);
  expect(await gitFiles(join(project, 'out'))).toBeNull();
  expect(await gitFiles(testProject({ a: 'a' }).project)).toBeNull();
});

test('[SM11] an index that git cannot read is reported', async () => {
  const project = repository({ 'a.txt': 'a' });
  writeFileSync(join(project, '.git/index'), 'nonsense');
  await expect(gitFiles(project)).rejects.toMatchObject({ code: 'PROJECT_UNREADABLE' });
});
