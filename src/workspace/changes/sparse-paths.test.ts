import { expect, test } from 'vitest';
import { git, testProject } from '../testing/test-project.ts';
import { checkedOutPaths } from './branch-changes.ts';

const PATHS = ['top.txt', 'A/a.txt', 'A/B/b.txt', 'A/B/C/c.txt', 'A/D/d.txt', 'E/e.txt', 'E/keep.md', 'F/G/g.txt'];

function repository(): string {
  const { project } = testProject(Object.fromEntries(PATHS.map((path) => [path, path])));
  git(project, 'init', '-q');
  git(project, 'add', '-A');
  git(project, 'commit', '-q', '-m', 'first');
  return project;
}

/** What git itself says: `S` stands before what is not checked out. */
const known = (project: string): readonly string[] =>
  git(project, 'ls-files', '-t')
    .split('\n')
    .filter((line) => line.startsWith('H '))
    .map((line) => line.slice(2));

for (const [how, words] of [
  ['by folders', ['set', '--cone', 'A/B', 'F']],
  ['by nothing but the top', ['set', '--cone']],
  ['by patterns', ['set', '--no-cone', '/*', '!/A/', '/A/B/', '!*.txt', '/top.txt', 'C/']],
] as const) {
  test(`[U2] of a sparse checkout ${how} the same paths are checked out as git says`, async () => {
    const project = repository();
    git(project, 'sparse-checkout', ...words);
    const isCheckedOut = await checkedOutPaths(project);
    expect(PATHS.filter((path) => isCheckedOut(path)).toSorted()).toEqual(known(project).toSorted());
  });
}

test('[U2] without a sparse checkout, or after its end, everything is checked out', async () => {
  const project = repository();
  expect(PATHS.every(await checkedOutPaths(project))).toBe(true);
  git(project, 'sparse-checkout', 'set', '--cone', 'A');
  git(project, 'sparse-checkout', 'disable');
  expect(PATHS.every(await checkedOutPaths(project))).toBe(true);
});
