import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { CallRequest } from '../../../actors/port.ts';
import { createMemoryJournal } from '../../../journal/memory/memory-journal.ts';
import { allTools } from '../../../tools/all-tools.ts';
import { testFolder } from '../../../tools/testing/test-folder.ts';
import { git, writeFiles } from '../../../workspace/testing/test-project.ts';
import { createWorkspaces } from '../../../workspace/workspaces.ts';
import { createEmbeddedHost } from '../../embedded/embedded-host.ts';
import { build, end, to, turn, work } from '../../testing/build-definition.ts';
import { says, testWorld } from '../../testing/test-world.ts';

test("[A7] git_diff shows what changed since the run began, and not the user's own uncommitted work", async () => {
  const results = await looked([
    ['write_file', { path: 'src/new.txt', content: 'made by the coder\n' }],
    ['git_diff', {}],
    ['git_diff', { path: 'src', stat: true }],
    ['git_diff', { path: 'docs' }],
    ['git_diff', { from: 'HEAD' }],
    ['git_diff', { path: '.' }],
    ['git_diff', { path: './' }],
    ['git_diff', { from: 'HEAD', path: '.' }],
  ]);
  const [, whole, stat, docs, committed, ...ofAll] = results;
  expect(whole).toContain('1 changed:\nsrc/new.txt +1 -0\n');
  expect(whole).toContain('+made by the coder');
  expect(whole).not.toContain('own work');
  expect(stat).toBe('1 changed:\nsrc/new.txt +1 -0');
  expect(docs).toBe('Nothing was changed.');
  // A commit that is named is compared with as it is.
  expect(committed).toContain("+the user's own work");
  expect(ofAll).toEqual([whole, whole, committed]);
});

test("[A7] git_status shows the user's own uncommitted files apart from the work of the run", async () => {
  const [clean, , status] = await looked([
    ['git_status', {}],
    ['write_file', { path: 'src/new.txt', content: 'made by the coder\n' }],
    ['git_status', {}],
  ]);
  const users = 'Uncommitted by the user before the run began, not part of the work:\n M a.txt\n?? b.txt';
  const [branch] = clean?.split('\n') ?? [];
  expect(branch).toMatch(/^## \w+$/);
  expect(clean).toBe(`${branch}\n\nSince the run began: Nothing was changed.\n\n${users}`);
  expect(status).toBe(`${branch}\n\nSince the run began: 1 changed:\nsrc/new.txt +1 -0\n\n${users}`);
});

/** What these calls of one turn returned, in a project with uncommitted changes. */
async function looked(uses: readonly (readonly [string, Record<string, string | boolean>])[]) {
  const base = testFolder({});
  const project = join(base, 'project');
  mkdirSync(project);
  writeFiles(project, { 'a.txt': 'one\n' });
  git(project, 'init', '--quiet');
  git(project, 'add', '--all');
  git(project, 'commit', '--quiet', '--message', 'Begin');
  writeFiles(project, { 'a.txt': "the user's own work\n", 'b.txt': 'own work too\n' });
  const workspaces = createWorkspaces({ home: join(base, 'home') });
  const answer = ({ call }: CallRequest) => {
    const [name, given] = uses[call - 1] ?? [];
    return name === undefined ? says('done') : says('', [{ id: `c${call}`, name, arguments: given ?? {} }]);
  };
  const journal = createMemoryJournal();
  const host = createEmbeddedHost(testWorld({ journal, answer, tools: allTools, workspaces, folder: project }));
  onTestFinished(async () => {
    await host.shutdown();
    await workspaces.close();
  });
  const definition = build({
    roles: { coder: {} },
    states: [work('code', turn('coder', "'go'"), [to('stop')]), end('stop')],
  });
  const run = await host.start({ definition, input: {}, project });
  expect(await host.rest(run)).toMatchObject({ outcome: 'ok' });
  return (await journal.read(run)).flatMap(({ fact }) => (fact.kind === 'tool.finished' ? [fact.content] : []));
}
