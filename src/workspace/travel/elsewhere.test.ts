import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runId, type TreeId } from '../../core/model/ids.ts';
import { mergeTrees } from '../changes/merge-trees.ts';
import { writeBranch } from '../changes/write-branch.ts';
import { git, temporaryFolder, testProject, writeFiles } from '../testing/test-project.ts';
import { faultCode, filesIn, METHODS } from '../testing/test-workspaces.ts';
import type { Workspaces, WorkspaceSettings } from '../port.ts';
import { createWorkspaces } from '../workspaces.ts';
import { openFolderStore } from './folder-store.ts';
import { isProjectId } from './project-id.ts';
import { publishTree } from './publish-tree.ts';
import type { SharedStore } from './port.ts';
import { receiveProject, sendProject } from './send-project.ts';

const ROOT = runId('r1');
const FILES = { 'a.txt': 'one\ntwo\nthree\n', 'src/b.ts': 'b\n', '.gitignore': 'dist/\n', 'dist/out.js': 'built\n' };

/** A user's clone with its own home, and what its run began with in the shared store. */
async function laptop(shared: SharedStore) {
  const { project, home } = testProject(FILES);
  git(project, 'init', '-q');
  git(project, 'add', '-A');
  git(project, 'commit', '-qm', 'first');
  git(project, 'remote', 'add', 'origin', 'https://me:key@example.com/team/app.git');
  writeFileSync(join(project, '.git/info/exclude'), '*.log\n');
  const workspaces = machine(home, shared);
  const { tree, commit } = await workspaces.begin(project);
  const origin = await sendProject({ home, workspaces, shared }, { root: ROOT, project, tree });
  return { project, home, workspaces, tree, commit, origin };
}

function machine(home: string, shared: SharedStore, settings: WorkspaceSettings = {}): Workspaces {
  const workspaces = createWorkspaces({ home, shared, settings });
  onTestFinished(() => workspaces.close());
  return workspaces;
}

/** A machine that has nothing of the user's. */
async function worker(shared: SharedStore, rules: string, settings: WorkspaceSettings = {}) {
  const home = join(temporaryFolder(), 'home');
  const workspaces = machine(home, shared, settings);
  await receiveProject({ home, shared }, { root: ROOT, rules });
  return { home, workspaces };
}

const sharedFolder = (): Promise<SharedStore> => openFolderStore(temporaryFolder());

const gitIn = (folder: string, ...words: readonly string[]): string =>
  execFileSync('git', words, {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '', HOME: '/none' },
  });

test.each(METHODS)(
  '[U8] work on a machine without the project comes back as a branch of the clone, by %s',
  async (method) => {
    const shared = await sharedFolder();
    const here = await laptop(shared);
    const { id, rules } = here.origin;
    expect(id).toBe('git:example.com/team/app');
    const { workspaces } = await worker(shared, rules, { method });
    const place = await workspaces.open({ root: ROOT, name: 'main', project: id, tree: here.tree, began: here.tree });
    expect(filesIn(place.folder)).toEqual(['.gitignore', 'a.txt', 'src/b.ts']);
    appendFileSync(join(place.folder, 'a.txt'), 'four\n');
    writeFiles(place.folder, { 'src/new.ts': 'new\n', 'dist/big.js': 'built here\n', 'x.log': 'a log\n' });
    symlinkSync('a.txt', join(place.folder, 'link'));
    mkdirSync(join(place.folder, 'empty'));
    rmSync(join(place.folder, 'src/b.ts'));
    const made = await place.record();
    await publishTree(await workspaces.store(id), shared, made);

    // Meanwhile the user goes on.
    writeFileSync(join(here.project, 'a.txt'), 'zero\none\ntwo\nthree\n');
    git(here.project, 'commit', '-qam', 'second');
    const store = await here.workspaces.store(here.project);
    const theirs = (await here.workspaces.begin(here.project)).tree;
    const merged = await mergeTrees(store, { base: here.tree, ours: made, theirs });
    expect(merged).toMatchObject({ kind: 'clean' });
    const written = await writeBranch(store, {
      project: here.project,
      base: here.tree,
      tree: made,
      start: here.commit ?? null,
      message: 'Work from elsewhere',
      name: 'troupe/r1',
      owner: 'r1',
    });
    expect(written).toMatchObject({ kind: 'written', conflicts: [] });
    const shown = (path: string): string => git(here.project, 'show', `troupe/r1:${path}`);
    expect(shown('a.txt')).toBe('zero\none\ntwo\nthree\nfour\n');
    expect(shown('src/new.ts')).toBe('new\n');
    expect(git(here.project, 'diff', '--name-status', 'main', 'troupe/r1').split('\n').sort().join(' ').trim()).toBe(
      'A\tlink A\tsrc/new.ts D\tsrc/b.ts M\ta.txt',
    );
  },
);

test('[U8] ignored files stay ignored there: by the rules of the tree, and by those that only the user has', async () => {
  const shared = await sharedFolder();
  const here = await laptop(shared);
  const { id, rules } = here.origin;
  const { workspaces } = await worker(shared, rules);
  const place = await workspaces.open({ root: ROOT, name: 'main', project: id, tree: here.tree });
  writeFiles(place.folder, { 'dist/big.js': 'built here\n', 'x.log': 'a log\n' });
  expect(await place.record()).toBe(here.tree);
  expect(gitIn(place.folder, 'status', '--porcelain')).toBe('');
});

test('[U8] an agent there has a repository with one commit, and sees what it changed', async () => {
  const shared = await sharedFolder();
  const here = await laptop(shared);
  const { id, rules } = here.origin;
  const { workspaces, home } = await worker(shared, rules);
  const open = (name: string) => workspaces.open({ root: ROOT, name, project: id, tree: here.tree });
  const [main, other] = await Promise.all([open('main'), open('other')]);
  for (const { folder } of [main, other]) {
    expect(gitIn(folder, 'log', '--format=%s').trim()).toBe('The project as the run began');
    expect(gitIn(folder, 'status', '--porcelain')).toBe('');
  }
  appendFileSync(join(main.folder, 'a.txt'), 'four\n');
  expect(gitIn(main.folder, 'diff')).toContain('+four');
  // What it may read holds this run's beginning, and nothing else of the store.
  const readable = main.folders.filter(({ access }) => access === 'read').map(({ path }) => path);
  expect(readable).toEqual([join(home, 'runs/r1/stand-in/.git/objects')]);
});

test('[U8] a project without git is opened elsewhere without one', async () => {
  const shared = await sharedFolder();
  const { project, home } = testProject({ 'a.txt': 'a', 'node_modules/x/y.js': 'y' });
  const workspaces = machine(home, shared);
  const { tree } = await workspaces.begin(project);
  const { id, rules } = await sendProject({ home, workspaces, shared }, { root: ROOT, project, tree, name: 'shop' });
  expect(id).toBe('name:shop');
  const there = await worker(shared, rules);
  const place = await there.workspaces.open({ root: ROOT, name: 'main', project: id, tree });
  expect(filesIn(place.folder)).toEqual(['a.txt']);
  expect(existsSync(join(place.folder, '.git'))).toBe(false);
  writeFiles(place.folder, { 'node_modules/z/z.js': 'z' });
  expect(await place.record()).toBe(tree);
});

test('[U8] three machines hand one workspace on, each with files of the one before', async () => {
  const shared = await sharedFolder();
  const here = await laptop(shared);
  const { id, rules } = here.origin;
  let tree: TreeId = here.tree;
  for (const line of ['first', 'second', 'third']) {
    const { workspaces } = await worker(shared, rules);
    const place = await workspaces.open({ root: ROOT, name: 'main', project: id, tree, began: here.tree });
    appendFileSync(join(place.folder, 'a.txt'), `${line}\n`);
    tree = await place.record();
    await publishTree(await workspaces.store(id), shared, tree);
  }
  const back = await here.workspaces.open({ root: ROOT, name: 'main', project: here.project, tree, began: here.tree });
  expect(readFileSync(join(back.folder, 'a.txt'), 'utf8')).toBe('one\ntwo\nthree\nfirst\nsecond\nthird\n');
});

test('[U8] nothing of the project is asked for where it is not', async () => {
  const shared = await sharedFolder();
  const here = await laptop(shared);
  const { id } = here.origin;
  expect(isProjectId(id)).toBe(true);
  const workspaces = machine(join(temporaryFolder(), 'home'), shared);
  expect(await faultCode(workspaces.begin(id))).toBe('PROJECT_ELSEWHERE');
  const request = { root: ROOT, name: 'main', project: id, tree: here.tree };
  expect(await faultCode(workspaces.open(request))).toBe('PROJECT_ELSEWHERE');
  expect(await workspaces.look(request)).toBeNull();
});

test('[U8] without the shared store a tree of another machine is not to be had', async () => {
  const shared = await sharedFolder();
  const here = await laptop(shared);
  const { id, rules } = here.origin;
  const home = join(temporaryFolder(), 'home');
  await receiveProject({ home, shared }, { root: ROOT, rules });
  const alone = createWorkspaces({ home });
  onTestFinished(() => alone.close());
  expect(await faultCode(alone.open({ root: ROOT, name: 'main', project: id, tree: here.tree }))).toBe('TREE_GONE');
  expect(await faultCode(receiveProject({ home, shared }, { root: ROOT, rules: '0'.repeat(40) }))).toBe(
    'STORE_DAMAGED',
  );
});
