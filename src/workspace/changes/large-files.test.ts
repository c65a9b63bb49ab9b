import { closeSync, copyFileSync, ftruncateSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copyResults } from '../copy-results.ts';
import type { TreeEntry } from '../store/port.ts';
import { git } from '../testing/test-project.ts';
import { applyTrees, rollbackProject } from './apply-trees.ts';
import { diffTrees } from './diff-trees.ts';
import { mergeTrees } from './merge-trees.ts';
import { picture, putFiles, storeWorld } from './testing/store-world.ts';
import { writeBranch } from './write-branch.ts';

const MEGABYTE = 1024 * 1024;

/** Larger than anything that is compared or written into a patch, and mostly a hole. */
function putLarge(path: string, mark: string): void {
  const file = openSync(path, 'w');
  ftruncateSync(file, 33 * MEGABYTE);
  writeSync(file, mark, 0);
  closeSync(file);
}

/** A project with a large file, and what a run made of it. */
async function scene() {
  const world = await storeWorld();
  putFiles(world.project, { 'a.txt': 'a\n', 'moved.txt': 'one\ntwo\nthree\n' });
  putLarge(join(world.project, 'data.bin'), 'first');
  const work = join(world.base, 'work');
  mkdirSync(work);
  for (const name of ['a.txt', 'moved.txt', 'data.bin']) copyFileSync(join(world.project, name), join(work, name));
  return { ...world, work, base: await world.record(world.project), folder: world.base };
}

test('[PD7] a large file that one side changed is merged, applied and taken back like any other', async () => {
  const { store, project, work, base, record } = await scene();
  putLarge(join(work, 'data.bin'), 'changed');
  putLarge(join(work, 'new.bin'), 'new');
  putFiles(project, { 'a.txt': 'mine\n' });
  const [ours, theirs] = [await record(project), await record(work)];
  const before = picture(project);
  const merged = await mergeTrees(store, { base, ours, theirs });
  expect(merged.kind).toBe('clean');
  expect(await applyTrees(store, { from: ours, to: merged.tree, project })).toMatchObject({
    kind: 'applied',
    written: ['data.bin', 'new.bin'],
  });
  expect(picture(project)).toEqual({ ...picture(work), 'a.txt': before['a.txt'] });
  await rollbackProject(store, { before: ours, after: merged.tree, project });
  expect(picture(project)).toEqual(before);
});

test('[PD7] a large file that both changed is a conflict without a text, found without reading it', async () => {
  const { store, project, work, base, record } = await scene();
  putLarge(join(work, 'data.bin'), 'theirs');
  putLarge(join(project, 'data.bin'), 'ours');
  const merged = await mergeTrees(store, { base, ours: await record(project), theirs: await record(work) });
  if (merged.kind !== 'conflict') throw new Error('expected a conflict');
  expect(merged.conflicts).toMatchObject([{ path: 'data.bin', kind: 'binary' }]);
  expect(merged.conflicts[0]?.ours).not.toHaveProperty('text');
});

test('[PD7] a difference counts a large file as bytes, and says that the patch lacks it', async () => {
  const { store, work, base, record } = await scene();
  putLarge(join(work, 'data.bin'), 'changed');
  putFiles(work, { 'a.txt': 'a\nb\n' });
  const diff = await diffTrees(store, { before: base, after: await record(work) });
  expect(diff.changes.map(({ path }) => path)).toEqual(['a.txt', 'data.bin']);
  expect(diff.stat.files).toMatchObject([
    { path: 'a.txt', added: 1 },
    { path: 'data.bin', isBinary: true },
  ]);
  expect(diff.beyondPatch.map(({ path }) => path)).toEqual(['data.bin']);
  expect(String(diff.patch)).toMatch(/^diff --git a\/a\.txt b\/a\.txt\n/);
  expect(String(diff.patch)).not.toContain('data.bin');
});

test('[PD7] a renamed file is followed although a large one changed too', async () => {
  const { store, project, work, base, record } = await scene();
  putLarge(join(work, 'data.bin'), 'changed');
  putFiles(work, { 'new-name.txt': 'one\ntwo\nthree\n' });
  rmSync(join(work, 'moved.txt'));
  putFiles(project, { 'moved.txt': 'one\ntwo\nTHREE\n' });
  const merged = await mergeTrees(store, { base, ours: await record(project), theirs: await record(work) });
  expect(merged).toMatchObject({ kind: 'clean', renames: [{ from: 'moved.txt', to: 'new-name.txt' }] });
});

test('[PD7] [U1] a large file reaches a branch and a folder of results', async () => {
  const { store, project, work, base, record, folder } = await scene();
  git(project, 'init', '-q');
  git(project, 'add', '-A');
  git(project, 'commit', '-qm', 'first');
  putLarge(join(work, 'data.bin'), 'changed');
  const tree = await record(work);
  const written = await writeBranch(store, {
    project,
    base,
    tree,
    name: 'troupe/large',
    message: 'Large',
    owner: 'run-1',
    start: null,
  });
  expect(written.kind).toBe('written');
  expect(git(project, 'cat-file', '-s', 'troupe/large:data.bin').trim()).toBe(String(33 * MEGABYTE));
  expect(git(project, 'fsck', '--strict')).toBe('');
  const to = join(folder, 'out');
  expect(await copyResults({ store, before: base, after: tree, to })).toMatchObject({ written: ['data.bin'] });
  expect(readFileSync(join(to, 'data.bin')).equals(readFileSync(join(work, 'data.bin')))).toBe(true);
  expect(await copyResults({ store, before: base, after: tree, to })).toMatchObject({
    same: ['data.bin'],
    written: [],
  });
});

const PIPE: TreeEntry = { kind: 'unkept', why: 'special' };
const LOG: TreeEntry = { kind: 'unkept', why: 'too-large' };

test('[FI5] what no tree holds is never counted as deleted: a side that lacks it just did not get it', async () => {
  const world = await storeWorld();
  const plain = await world.treeOf({ 'a.txt': 'a' });
  const changed = await world.treeOf({ 'a.txt': 'b' });
  const withUnkept = async (tree: typeof plain, ...unkept: readonly [string, TreeEntry][]) =>
    world.store.write(new Map([...(await world.store.entries(tree)), ...unkept]));
  const both = await withUnkept(plain, ['pipe', PIPE], ['log', LOG]);
  const cases = [
    { ours: both, theirs: changed, expected: await withUnkept(changed, ['pipe', PIPE], ['log', LOG]) },
    { ours: changed, theirs: both, expected: changed },
    { ours: changed, theirs: plain, expected: changed },
    {
      ours: await withUnkept(changed, ['log', PIPE]),
      theirs: both,
      expected: await withUnkept(changed, ['log', PIPE]),
    },
    { ours: plain, theirs: await world.treeOf({ 'a.txt': 'a', log: 'small now' }), expected: null },
  ];
  for (const { ours, theirs, expected } of cases) {
    const merged = await mergeTrees(world.store, { base: both, ours, theirs });
    expect(merged).toMatchObject({ kind: 'clean', ...(expected === null ? { tree: theirs } : { tree: expected }) });
  }
});

test('[FI5] applying and rolling back pass by what no tree holds, and delete nothing of it', async () => {
  const world = await storeWorld();
  const { store, project } = world;
  putFiles(project, { 'a.txt': 'a', log: 'a log that is too large for the limit' });
  const before = await world.treeOf({ 'a.txt': 'a' });
  const after = await store.write(
    new Map([...(await store.entries(await world.treeOf({ 'a.txt': 'b' }))), ['log', LOG]]),
  );
  expect(await applyTrees(store, { from: before, to: after, project })).toMatchObject({
    kind: 'applied',
    written: ['a.txt'],
  });
  expect(await rollbackProject(store, { before, after, project })).toMatchObject({ kind: 'applied', removed: [] });
  expect(picture(project)['log']).toBeDefined();
  const target = join(world.base, 'out');
  const results = await copyResults({
    store,
    before: await world.treeOf({ 'a.txt': 'a', log: 'x' }),
    after,
    to: target,
  });
  expect(results.deleted).toEqual([]);
});

test('[FI5] a branch does not delete a file that the run made too large to be kept', async () => {
  const world = await storeWorld();
  const { store, project } = world;
  putFiles(project, { 'a.txt': 'a', log: 'small' });
  git(project, 'init', '-q');
  git(project, 'add', '-A');
  git(project, 'commit', '-qm', 'first');
  const base = await world.treeOf({ 'a.txt': 'a', log: 'small' });
  const tree = await store.write(
    new Map([...(await store.entries(await world.treeOf({ 'a.txt': 'b' }))), ['log', LOG]]),
  );
  const written = await writeBranch(store, {
    project,
    base,
    tree,
    name: 'troupe/x',
    message: 'X',
    owner: 'run-1',
    start: null,
  });
  expect(written).toMatchObject({ kind: 'written', leftOut: [{ path: 'log', why: 'too-large' }] });
  expect(git(project, 'diff', '--name-status', 'HEAD', 'troupe/x')).toBe('M\ta.txt\n');
});
