import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Workspace } from '../port.ts';
import { git, testProject, writeFiles } from '../testing/test-project.ts';
import { filesIn, testWorkspaces } from '../testing/test-workspaces.ts';

/** Git as an agent runs it: with the workspace's environment and nothing else. */
function agentGit({ folder, environment }: Workspace, ...words: readonly string[]): string {
  const env = { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', ...environment };
  return execFileSync('git', words, { cwd: folder, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

const status = (folder: string) => git(folder, 'status', '--porcelain=v2', '--branch');

function repository(files: Record<string, string> = { 'a.txt': 'a\n', 'b.txt': 'b\n' }) {
  const place = testProject(files);
  git(place.project, 'init', '-q');
  git(place.project, 'add', '-A');
  git(place.project, 'commit', '-qm', 'first');
  return place;
}

/** All of the user's git folder, by content. */
function hashOf(folder: string): string {
  const hash = createHash('sha256');
  for (const path of filesIn(folder)) hash.update(`${path}\0`).update(readFileSync(join(folder, path)));
  return hash.digest('hex');
}

test('[SM11] an agent sees the status, the diff and the log that the user sees', async () => {
  const place = repository({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n', '.troupe/workflows/w.yaml': 'x' });
  const { project } = place;
  git(project, 'checkout', '-qb', 'feature/é');
  git(project, 'tag', 'v1');
  symlinkSync('/etc', join(project, 'out'));
  git(project, 'add', '-A');
  git(project, 'commit', '-qm', 'second');
  writeFiles(project, { 'a.txt': 'staged\n', 'new.txt': 'untracked\n' });
  git(project, 'add', 'a.txt');
  writeFiles(project, { 'b.txt': 'changed\n', '.git/info/exclude': 'private.txt\n', 'private.txt': '' });
  rmSync(join(project, 'c.txt'));
  const before = hashOf(join(project, '.git'));
  const workspace = await testWorkspaces(place).start();
  expect(hashOf(join(project, '.git'))).toBe(before);
  writeFiles(workspace.folder, { 'private.txt': '' });
  expect(agentGit(workspace, 'status', '--porcelain=v2', '--branch')).toBe(status(project));
  expect(agentGit(workspace, 'diff', 'HEAD')).toBe(git(project, 'diff', 'HEAD'));
  expect(agentGit(workspace, 'log', '--format=%H %D')).toBe(git(project, 'log', '--format=%H %D'));
});

test('[SM11] what an agent commits, configures and plants stays in its own git folder', async () => {
  const place = repository();
  const before = hashOf(join(place.project, '.git'));
  const workspace = await testWorkspaces(place).start();
  expect(existsSync(join(workspace.folder, '.git/hooks'))).toBe(false);
  expect(readFileSync(join(workspace.folder, '.git/config'), 'utf8')).not.toContain('remote');
  writeFiles(workspace.folder, { 'a.txt': 'by an agent\n' });
  agentGit(workspace, 'commit', '-qam', 'an agent was here');
  agentGit(workspace, 'gc', '-q');
  agentGit(workspace, 'branch', 'other');
  expect(agentGit(workspace, 'log', '--format=%s %an')).toBe('an agent was here Agent\nfirst Test\n');
  expect(agentGit(workspace, 'status', '--porcelain')).toBe('');
  execFileSync('git', ['fsck', '--full'], { cwd: workspace.folder, stdio: 'pipe' });
  expect(hashOf(join(place.project, '.git'))).toBe(before);
});

test('[SM11] the objects of the user are read where they are, and commands know the place', async () => {
  const place = repository();
  const clone = join(place.home, '..', 'clone');
  git(place.project, 'clone', '-q', '--shared', '.', clone);
  const workspace = await testWorkspaces({ ...place, project: clone }).start();
  const read = workspace.folders.filter(({ access }) => access === 'read').map(({ path }) => path);
  expect(read).toEqual([join(clone, '.git/objects'), join(place.project, '.git/objects')]);
  expect(readdirSync(join(workspace.folder, '.git/objects'))).toEqual(['info']);
  expect(agentGit(workspace, 'log', '--format=%s')).toBe('first\n');
});

test('[SM11] linked worktrees, shallow and partial clones, detached and unborn heads', async () => {
  const place = repository();
  const { project, home } = place;
  writeFiles(project, { 'a.txt': 'second\n' });
  git(project, 'commit', '-qam', 'second');
  git(project, 'config', 'uploadpack.allowFilter', 'true');
  const at = (name: string) => join(home, '..', name);
  git(project, 'worktree', 'add', '-q', '-b', 'side', at('linked'));
  git(project, 'clone', '-q', '--depth=1', `file://${project}`, at('shallow'));
  git(project, 'clone', '-q', '--filter=blob:none', `file://${project}`, at('partial'));
  git(project, 'clone', '-q', '.', at('detached'));
  git(at('detached'), 'checkout', '-q', '--detach', 'HEAD~1');
  git(project, 'init', '-q', at('unborn'));
  writeFiles(at('unborn'), { 'staged.txt': 's', 'new.txt': 'n' });
  git(at('unborn'), 'add', 'staged.txt');
  git(project, 'clone', '-q', '.', at('split'));
  git(at('split'), 'update-index', '--split-index');
  for (const name of ['linked', 'shallow', 'partial', 'detached', 'unborn', 'split']) {
    if (name !== 'unborn') writeFiles(at(name), { 'b.txt': 'changed\n' });
    const workspace = await testWorkspaces({ home, project: at(name) }).start(name);
    const words = ['status', '--porcelain=v2'];
    expect([name, agentGit(workspace, ...words)]).toEqual([name, git(at(name), ...words)]);
    agentGit(workspace, 'add', '-A');
    agentGit(workspace, 'commit', '-qm', 'by an agent');
    expect(agentGit(workspace, 'log', '-1', '--format=%s')).toBe('by an agent\n');
  }
});

test('[SM11] submodules do not look changed, and their files are there', async () => {
  const inner = repository({ 'lib.txt': 'lib\n' });
  const place = repository();
  const words = ['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.project, 'lib'];
  git(place.project, ...words);
  git(place.project, 'commit', '-qm', 'with a submodule');
  const workspace = await testWorkspaces(place).start();
  expect(filesIn(workspace.folder)).toContain('lib/lib.txt');
  expect(agentGit(workspace, 'status', '--porcelain')).toBe('');
});

test('[SM11] a project that is a part of its repository has a repository of that part', async () => {
  const { project, home } = repository({ 'top.txt': '', 'part/a.txt': 'a\n', 'part/sub/b.txt': 'b\n' });
  writeFiles(project, { 'part/a.txt': 'changed\n', 'part/new.txt': '' });
  const workspace = await testWorkspaces({ home, project: join(project, 'part') }).start();
  expect(agentGit(workspace, 'status', '--porcelain')).toBe(' M a.txt\n?? new.txt\n');
  expect(agentGit(workspace, 'log', '--format=%s')).toMatch(/^This folder at [0-9a-f]{40}\n$/);
});

test('[L8] a git folder that an agent ruined is left alone, one that it removed is made again beside the workspace', async () => {
  const place = repository();
  const { workspaces, open } = testWorkspaces(place);
  const { tree } = await workspaces.begin(place.project);
  const workspace = await open(tree);
  const own = join(workspace.folder, '.git');
  const outside = join(place.home, '..', 'outside');
  rmSync(own, { recursive: true });
  symlinkSync(outside, own);
  await open(tree);
  expect(existsSync(outside)).toBe(false);
  rmSync(own);
  await open(tree);
  expect(agentGit(workspace, 'status', '--porcelain')).toBe('');
  writeFileSync(join(own, 'HEAD'), 'ref: nowhere\n');
  await open(tree);
  expect(await workspace.record()).toBe(tree);
});

test('[SM11] in a project without git an agent finds no repository, whatever lies above', async () => {
  const place = testProject({ 'a.txt': '' });
  git(join(place.project, '..'), 'init', '-q');
  writeFiles(join(place.project, '..'), { '.gitignore': 'project\nhome\n' });
  const workspace = await testWorkspaces(place).start();
  expect(() => agentGit(workspace, 'status')).toThrow(/not a git repository/);
});
