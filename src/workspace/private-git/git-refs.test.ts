import { expect, test } from 'vitest';
import { git, testProject } from '../testing/test-project.ts';
import { readCommit, readStanding } from './git-facts.ts';

function repository() {
  const { project } = testProject({ 'a.txt': 'a' });
  git(project, 'init', '-q');
  return { project, id: () => git(project, 'rev-parse', 'HEAD').trim() };
}

function commit(project: string): void {
  git(project, 'add', '-A');
  git(project, 'commit', '-qm', 'first');
}

test('[SM11] the branch that is checked out is marked among all branches and tags', async () => {
  const { project, id } = repository();
  commit(project);
  git(project, 'tag', 'v1');
  git(project, 'checkout', '-qb', 'feature/é');
  const branch = Buffer.from('refs/heads/feature/é').toString('latin1');
  const { head, refs } = await readStanding(project);
  expect(head).toEqual({ branch, commit: id() });
  expect(refs).toEqual([branch, 'refs/heads/main', 'refs/tags/v1'].map((name) => ({ id: id(), name })));
});

test('[SM11] a commit that is checked out by its id has no branch', async () => {
  const { project, id } = repository();
  commit(project);
  git(project, 'checkout', '-q', '--detach');
  expect((await readStanding(project)).head).toEqual({ branch: null, commit: id() });
});

test('[SM11] where nothing was committed yet there is a branch and no commit', async () => {
  const { project } = repository();
  expect(await readStanding(project)).toEqual({ head: { branch: 'refs/heads/main', commit: null }, refs: [] });
  expect(await readCommit(project)).toBeNull();
});

test('[SM11] who asks while somebody asks hears the same; who asks later hears of what was committed since', async () => {
  const { project, id } = repository();
  const [first, second] = [readStanding(project), readStanding(project)];
  expect(second).toBe(first);
  expect((await first).head.commit).toBeNull();
  commit(project);
  expect((await readStanding(project)).head.commit).toBe(id());
});
