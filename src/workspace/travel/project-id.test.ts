import { mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { git, testProject } from '../testing/test-project.ts';
import { isProjectId, projectId } from './project-id.ts';

test.each([
  ['git@Example.com:team/app.git', 'git:example.com/team/app'],
  ['https://me:s3cret@example.com/team/app.git', 'git:example.com/team/app'],
  ['https://example.com:443/team/app/', 'git:example.com/team/app'],
  ['ssh://git@example.com:22/team/app', 'git:example.com/team/app'],
  ['ssh://git@example.com:2222/team/app', 'git:example.com:2222/team/app'],
  ['example.com:team/my%20app', 'git:example.com/team/my%20app'],
  ['https://example.com/team/my%20app', 'git:example.com/team/my app'],
])('[U8] a clone of %s is the project %s, on every machine', async (remote, id) => {
  const { project } = testProject();
  git(project, 'init', '-q');
  git(project, 'remote', 'add', 'origin', remote);
  expect(await projectId(project, 'a name')).toBe(id);
  expect(isProjectId(id)).toBe(true);
});

test('[U8] a part of a repository is a separate project', async () => {
  const { project } = testProject();
  git(project, 'init', '-q');
  git(project, 'remote', 'add', 'origin', 'https://example.com/team/app');
  mkdirSync(join(project, 'packages/web'), { recursive: true });
  expect(await projectId(join(project, 'packages/web'))).toBe('git:example.com/team/app//packages/web');
});

test.each(['/srv/git/app.git', 'file:///srv/git/app.git', '../app'])(
  '[U8] a remote that only this machine knows names no project: %s',
  async (remote) => {
    const { project } = testProject();
    git(project, 'init', '-q');
    git(project, 'remote', 'add', 'origin', remote);
    expect(await projectId(project, 'shop')).toBe('name:shop');
  },
);

test('[U8] a folder without git is known by its name', async () => {
  const { project } = testProject();
  expect(await projectId(project)).toBe(`name:${basename(project)}`);
  expect(isProjectId(project)).toBe(false);
});
