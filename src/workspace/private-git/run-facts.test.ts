import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runId } from '../../core/model/ids.ts';
import { git, testProject } from '../testing/test-project.ts';
import { RunFacts } from './git-facts.ts';

const [one, other] = [runId('one'), runId('other')];

test('[SM11] all workspaces of a run hear what git said when the first one was made; the next run asks again', async () => {
  const { project } = testProject({ 'a.txt': 'a' });
  git(project, 'init', '-q');
  const facts = new RunFacts();
  expect((await facts.of(one, project))?.settings['core.eol']).toBeUndefined();
  git(project, 'config', 'core.eol', 'crlf');
  expect((await facts.of(one, project))?.settings['core.eol']).toBeUndefined();
  expect((await facts.of(other, project))?.settings['core.eol']).toBe('crlf');
});

test('[SM11] that there is no repository is not remembered', async () => {
  const { project } = testProject({ 'a.txt': 'a' });
  const facts = new RunFacts();
  expect(await facts.of(one, project)).toBeNull();
  git(project, 'init', '-q');
  expect(await facts.of(one, project)).toMatchObject({ top: project, prefix: '' });
  rmSync(join(project, '.git'), { recursive: true });
  expect(await facts.of(other, project)).toBeNull();
});

test('who asks while somebody asks starts nothing', async () => {
  const { project } = testProject({ 'a.txt': 'a' });
  git(project, 'init', '-q');
  const facts = new RunFacts();
  const [first, second] = [facts.of(one, project), facts.of(other, project)];
  expect(second).toBe(first);
  await first;
});
