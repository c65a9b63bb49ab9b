import { execFileSync } from 'node:child_process';
import { chmodSync, lstatSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { blobOfFile, canShareBlocks, cloneLargeFile, plantTree } from './plant-tree.ts';
import { openTreeStore } from './store/tree-store.ts';
import { testProject, writeFiles } from './testing/test-project.ts';

const leaveOut = () => false;

async function recorded(files: Record<string, string | Buffer>) {
  const { project, home } = testProject(files);
  mkdirSync(home);
  const store = await openTreeStore(join(home, 'git'));
  onTestFinished(() => store.close());
  const record = async (folder: string) => (await store.record(folder, { index: join(home, 'i'), leaveOut })).tree;
  return { project, home, store, record };
}

test.each([0o000, 0o022, 0o077])('[SM11] with the umask %o a planted tree is what was recorded', async (mask) => {
  const { project, home, store, record } = await recorded({
    'a.txt': 'a',
    'open.txt': 'o',
    'closed/deep/x': 'x',
    'run.sh': '',
    'empty-file': '',
  });
  chmodSync(join(project, 'a.txt'), 0o600);
  chmodSync(join(project, 'open.txt'), 0o666);
  chmodSync(join(project, 'run.sh'), 0o751);
  for (const [name, mode] of [
    ['closed/deep', 0o555],
    ['closed', 0o711],
  ] as const) {
    chmodSync(join(project, name), mode);
  }
  mkdirSync(join(project, 'shared/empty'), { recursive: true });
  chmodSync(join(project, 'shared/empty'), 0o777);
  symlinkSync('../a.txt', join(project, 'shared/link'));
  writeFileSync(Buffer.concat([Buffer.from(`${project}/`), Buffer.from([0xff, 0x0a])]), 'odd');
  const tree = await record(project);
  const before = process.umask(mask);
  onTestFinished(() => void process.umask(before));
  const folder = join(home, 'planted');
  mkdirSync(folder);
  await plantTree({ store, tree, folder, project });
  expect(await record(folder)).toBe(tree);
  chmodSync(join(project, 'closed/deep'), 0o755);
  chmodSync(join(folder, 'closed/deep'), 0o755);
});

test('[L6] a planted tree is known: recording it reads nothing, and changed files are detected', async () => {
  const { project, home, store, record } = await recorded({ 'a.txt': 'a', 'src/b.ts': 'b', 'src/deep/c': 'c' });
  symlinkSync('a.txt', join(project, 'link'));
  mkdirSync(join(project, 'empty'));
  const tree = await record(project);
  const folder = join(home, 'planted');
  mkdirSync(folder);
  const stamps = await plantTree({ store, tree, folder, project });
  const index = join(home, 'planted-index');
  // As if it had been left alone for a while.
  await store.remember(tree, folder, { index, stamps, aloneUntilMs: Date.now() + 60_000 });
  expect(await store.record(folder, { index, leaveOut })).toMatchObject({ tree, read: 0 });
  writeFiles(folder, { 'src/b.ts': 'another' });
  chmodSync(join(folder, 'a.txt'), 0o600);
  rmSync(join(folder, 'empty'), { recursive: true });
  const changed = await store.record(folder, { index, leaveOut });
  expect((await store.compare(tree, changed.tree)).map(({ path }) => path)).toEqual(['a.txt', 'empty', 'src/b.ts']);
  expect(changed.tree).toBe((await store.record(folder, { index: join(home, 'no-index'), leaveOut })).tree);
});

test('[L6] a file changed in the moment after it was planted, with the same size, is seen', async () => {
  const { project, home, store, record } = await recorded({ 'a.txt': 'aaaa', 'b.txt': 'bbbb' });
  const tree = await record(project);
  for (let round = 0; round < 20; round += 1) {
    const [folder, index] = [join(home, `planted-${round}`), join(home, `index-${round}`)];
    mkdirSync(folder);
    const stamps = await plantTree({ store, tree, folder, project });
    const aloneUntilMs = Date.now();
    writeFileSync(join(folder, 'a.txt'), 'cccc');
    await store.remember(tree, folder, { index, stamps, aloneUntilMs });
    const now = await store.record(folder, { index, leaveOut });
    expect((await store.compare(tree, now.tree)).map(({ path }) => path)).toEqual(['a.txt']);
  }
});

test('[L6] things that a tree tells of and that are not planted are not remembered either', async () => {
  const { project, home, store, record } = await recorded({ 'a.txt': 'a' });
  execFileSync('mkfifo', [join(project, 'pipe')]);
  const tree = await record(project);
  const folder = join(home, 'planted');
  mkdirSync(folder);
  const index = join(home, 'planted-index');
  const stamps = await plantTree({ store, tree, folder, project });
  await store.remember(tree, folder, { index, stamps, aloneUntilMs: Date.now() + 60_000 });
  const now = await store.record(folder, { index, leaveOut });
  expect((await store.compare(tree, now.tree)).map(({ path }) => path)).toEqual(['pipe']);
});

test('[SM11] planting can be stopped', async () => {
  const files = Object.fromEntries(Array.from({ length: 120 }, (_, at) => [`f${at}`, `${at}`]));
  const { project, home, store, record } = await recorded(files);
  const tree = await record(project);
  const folder = join(home, 'planted');
  mkdirSync(folder);
  const signal = AbortSignal.abort(new Error('enough'));
  await expect(plantTree({ store, tree, folder, project, signal })).rejects.toThrow('enough');
});

test('[L8] large files are shared by blocks or copied, never by a second name', async () => {
  const large = Buffer.alloc(3 * 1024 * 1024, 'large');
  const { project, home, store, record } = await recorded({ 'large.bin': large, small: 's' });
  const tree = await record(project);
  const folder = join(home, 'planted');
  mkdirSync(folder);
  writeFiles(project, { small: 'changed since' });
  await plantTree({ store, tree, folder, project });
  expect(await record(folder)).toBe(tree);
  for (const path of [join(project, 'large.bin'), join(folder, 'large.bin')]) expect(lstatSync(path).nlink).toBe(1);
  expect(lstatSync(join(project, 'large.bin')).ino).not.toBe(lstatSync(join(folder, 'large.bin')).ino);
});

test('[L8] a clone that is not what the tree says is not taken', async (context) => {
  const { project, home } = await recorded({ 'large.bin': Buffer.alloc(2 * 1024 * 1024, 'large'), small: 's' });
  const [from, to] = [Buffer.from(join(project, 'large.bin')), Buffer.from(join(home, 'clone'))];
  const blob = execFileSync('git', ['hash-object', '--no-filters', from.toString()], { encoding: 'utf8' }).trim();
  expect(await blobOfFile(from)).toBe(blob);
  expect(await cloneLargeFile(Buffer.from(join(project, 'small')), to, blob)).toBe(false);
  if (!(await canShareBlocks(project, home))) context.skip('this disk cannot share blocks');
  expect(await cloneLargeFile(from, to, 'another')).toBe(false);
  expect(await cloneLargeFile(from, to, blob)).toBe(true);
});
