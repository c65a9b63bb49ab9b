import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { git, testProject } from '../testing/test-project.ts';
import { openUserRepository } from './user-repository.ts';

test('[PD7] a repository is read whole where its folder has a line break in its name and an empty line after it', async () => {
  const top = join(testProject().project, 'true\n\nsha256\n');
  const project = join(top, 'in\nside');
  mkdirSync(project, { recursive: true });
  git(top, 'init', '-q');
  git(top, 'commit', '-q', '--allow-empty', '-m', 'first');
  expect(await openUserRepository(project)).toMatchObject({
    project,
    gitDir: join(top, '.git'),
    objects: join(top, '.git', 'objects'),
    infoAttributes: join(top, '.git', 'info', 'attributes'),
    format: 'sha1',
    prefix: 'in\nside/',
    head: git(top, 'rev-parse', 'HEAD').trim(),
  });
});

test('[PD7] of a name that is set more than once the last one counts; a section of another name is none', async () => {
  const { project } = testProject();
  git(project, 'init', '-q');
  const settings =
    '[user]\n\tname = First\n\tname = Last One\n\temail = one@example.invalid\n[user "x"]\n\tname = Other\n';
  appendFileSync(join(project, '.git/config'), settings);
  const { head, identity } = await openUserRepository(project);
  expect({ head, identity }).toEqual({
    head: null,
    identity: { name: 'Last One', email: 'one@example.invalid' },
  });
});

test('[PD7] where git cannot read the settings of a repository, the error says what git says', async () => {
  const { project } = testProject();
  git(project, 'init', '-q');
  appendFileSync(join(project, '.git/config'), '[user]\n\tname\n');
  await expect(openUserRepository(project)).rejects.toMatchObject({
    code: 'NOT_A_REPOSITORY',
    message: expect.stringContaining("bad config variable 'user.name'") as string,
  });
});
