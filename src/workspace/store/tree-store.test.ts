import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { treeId } from '../../core/model/ids.ts';
import type { TreeId } from '../../core/model/ids.ts';
import { writeFiles } from '../testing/test-project.ts';
import { storeGit } from '../git.ts';
import { describeFolder } from './testing/describe-folder.ts';
import { expectSoundStore } from './testing/sound-store.ts';
import { testStore } from './testing/test-store.ts';
import { openTreeStore } from './tree-store.ts';

test('[L6] equal files have one name, wherever they lie and however they came about', async () => {
  const [one, other] = [await testStore(), await testStore()];
  writeFiles(one.folder, { 'a.txt': 'a', 'd/b.txt': 'b' });
  writeFiles(other.folder, { 'd/b.txt': 'x', 'd/c.txt': 'c' });
  await other.store.record(other.folder, other.options);
  rmSync(join(other.folder, 'd/c.txt'));
  writeFiles(other.folder, { 'd/b.txt': 'b', 'a.txt': 'a' });
  const first = await one.store.record(one.folder, one.options);
  expect((await other.store.record(other.folder, other.options)).tree).toBe(first.tree);
  expect((await one.store.record(one.folder, one.options)).tree).toBe(first.tree);
});

test.each([
  ['a byte', (folder: string) => writeFileSync(join(folder, 'a.txt'), 'b')],
  ['a mode', (folder: string) => chmodSync(join(folder, 'a.txt'), 0o600)],
  ['an empty folder', (folder: string) => mkdirSync(join(folder, 'empty'))],
  ['the mode of a folder', (folder: string) => chmodSync(join(folder, 'd'), 0o700)],
  ['a link', (folder: string) => symlinkSync('a.txt', join(folder, 'link'))],
  ['a name', (folder: string) => renameSync(join(folder, 'a.txt'), join(folder, 'A.txt'))],
])('[L6] %s makes another tree, and the change can be listed', async (_, change) => {
  const { folder, store, options } = await testStore();
  writeFiles(folder, { 'a.txt': 'a', 'd/b.txt': 'b' });
  const before = await store.record(folder, options);
  change(folder);
  const after = await store.record(folder, options);
  expect(after.tree).not.toBe(before.tree);
  expect(await store.compare(before.tree, after.tree)).not.toEqual([]);
  expect(await store.compare(after.tree, after.tree)).toEqual([]);
});

test('[L6] a comparison names each path with what was and what is', async () => {
  const { folder, store, options } = await testStore();
  writeFiles(folder, { 'a.txt': 'a', 'd/b.txt': 'b', 'gone/c.txt': 'c' });
  const before = await store.record(folder, options);
  writeFiles(folder, { 'a.txt': 'A', 'new.txt': 'n' });
  chmodSync(join(folder, 'd/b.txt'), 0o755);
  rmSync(join(folder, 'gone'), { recursive: true });
  const after = await store.record(folder, options);
  const changes = await store.compare(before.tree, after.tree);
  expect(changes.map(({ path, before, after }) => [path, before?.kind, after?.kind])).toEqual([
    ['a.txt', 'file', 'file'],
    ['d/b.txt', 'file', 'file'],
    ['gone/c.txt', 'file', undefined],
    ['new.txt', undefined, 'file'],
  ]);
  const blob = changes[0]?.after;
  expect(blob?.kind === 'file' ? String(await store.read(blob.blob)) : null).toBe('A');
});

test('[L6] a file changed twice in the same moment, with the same size, is seen', async () => {
  const { folder, store, options } = await testStore();
  const trees = new Set<TreeId>();
  for (let round = 0; round < 50; round += 1) {
    writeFileSync(join(folder, 'a.txt'), String(round).padStart(4, '0'));
    trees.add((await store.record(folder, options)).tree);
  }
  expect(trees.size).toBe(50);
});

test('[L6] a file whose times were set back is read again', async () => {
  const { folder, store, options } = await testStore();
  const path = join(folder, 'a.txt');
  writeFileSync(path, 'one');
  const { mtime, atime } = statSync(path);
  const before = await store.record(folder, options);
  writeFileSync(path, 'two');
  utimesSync(path, atime, mtime);
  expect((await store.record(folder, options)).tree).not.toBe(before.tree);
});

test('[L6] nothing but what changed is read again, also after a new start', async () => {
  const { folder, gitDir, store, options } = await testStore();
  for (let at = 0; at < 50; at += 1) writeFiles(folder, { [`d${at % 7}/f${at}`]: `${at}` });
  for (const name of ['d0', 'd1']) execFileSync('touch', ['-d', '1 hour ago', join(folder, name)]);
  await until(async () => (await store.record(folder, options)).read === 0);
  await store.close();
  const again = await openTreeStore(gitDir);
  onTestFinished(() => again.close());
  appendFileSync(join(folder, 'd0/f0'), 'more');
  expect(await again.record(folder, options)).toMatchObject({ read: 1, entries: 57 });
});

/** Files written a moment ago are read again until their times differ. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  await expect.poll(isSo, { interval: 10 }).toBe(true);
}

test.each([
  ['cut short', (index: string) => truncateSync(index, 100)],
  ['overwritten', (index: string) => writeFileSync(index, 'nonsense')],
  [
    'changed in one place',
    (index: string) => writeFileSync(index, readFileSync(index, 'latin1').replace(/.$/s, 'x'), 'latin1'),
  ],
  ['gone', (index: string) => rmSync(index)],
])('[L6] an index that is %s costs time only', async (_, damage) => {
  const { folder, gitDir, store, options } = await testStore();
  writeFiles(folder, { 'a.txt': 'a', 'd/b.txt': 'b' });
  await until(async () => (await store.record(folder, options)).read === 0);
  const { tree } = await store.record(folder, options);
  await store.close();
  damage(options.index);
  const again = await openTreeStore(gitDir);
  onTestFinished(() => again.close());
  expect(await again.record(folder, options)).toMatchObject({ tree, read: 2 });
});

test('[L6] when only some paths changed, looking at those gives the same tree', async () => {
  const { folder, base, store, options } = await testStore();
  writeFiles(folder, { 'a.txt': 'a', 'd/b.txt': 'b', 'd/e/f.txt': 'f', 'gone/x/y.txt': 'y' });
  await store.record(folder, options);
  writeFiles(folder, { 'd/b.txt': 'B', 'new/deep/z.txt': 'z' });
  rmSync(join(folder, 'gone'), { recursive: true });
  rmSync(join(folder, 'd/e'), { recursive: true });
  writeFileSync(join(folder, 'd/e'), 'now a file');
  const only = ['d/b.txt', 'new/deep/z.txt', 'gone/x/y.txt', 'd/e/f.txt', 'never/was'];
  const some = await store.record(folder, { ...options, only });
  const all = await store.record(folder, { ...options, index: join(base, 'other-index') });
  expect(some.tree).toBe(all.tree);
});

test('[C35] odd names are kept byte for byte', async () => {
  const { folder, store, options } = await testStore();
  const names = [
    'a\nb',
    '\u001b[31m',
    'x\u202etxt',
    'é'.normalize('NFC'),
    'é'.normalize('NFD'),
    'Case',
    'case',
    'l'.repeat(255),
  ];
  for (const name of names) writeFileSync(join(folder, name), name);
  const odd = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0x09, 0x2e])]);
  mkdirSync(odd);
  writeFileSync(Buffer.concat([odd, Buffer.from('/inside')]), 'x');
  const { tree } = await store.record(folder, options);
  const described = describeFolder(folder);
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
  await store.restore(tree, folder, options);
  expect(describeFolder(folder)).toEqual(described);
});

test('[D44] [D46] nothing called .git is recorded, in whatever guise, and its neighbours are', async () => {
  const { folder, store, options } = await testStore();
  writeFiles(folder, {
    '.git/config': 'x',
    'sub/.GIT/hooks/x': 'x',
    'sub/.git./x': 'x',
    'sub/.g\u200cit/x': 'x',
    'sub/GIT~1': 'x',
  });
  writeFiles(folder, { 'sub/a.txt': 'a', '.github/b.yml': 'b', '.gitignore': 'c' });
  const { tree, reports } = await store.record(folder, options);
  expect([...(await store.entries(tree)).keys()].sort()).toEqual(['.github/b.yml', '.gitignore', 'sub/a.txt']);
  expect(reports.map(({ why }) => why)).toEqual(['git-name', 'git-name', 'git-name', 'git-name']);
});

test('[L6] git reads all of it: trees, contents, differences', async () => {
  const { folder, gitDir, store, options } = await testStore();
  writeFiles(folder, { 'a.txt': 'one\n', 'd/b.txt': 'b\n', 'large.bin': Buffer.alloc(5 * 1024 * 1024, 7) });
  mkdirSync(join(folder, 'empty'));
  const before = await store.record(folder, options);
  writeFiles(folder, { 'a.txt': 'two\n' });
  const after = await store.record(folder, options);
  await store.addBlob(Buffer.from('alone'));
  expectSoundStore(gitDir);
  const shown = await storeGit(store, ['diff-tree', '-r', '-p', `${before.tree}:files`, `${after.tree}:files`]);
  expect(shown.toString()).toContain('-one\n+two\n');
  const large = (await store.entries(before.tree)).get('large.bin');
  expect(large?.kind === 'file' ? (await store.read(large.blob)).length : 0).toBe(5 * 1024 * 1024);
});

test('[L6] a tree that cannot stand on a disk is refused', async () => {
  const { store } = await testStore();
  const blob = await store.addBlob(Buffer.from('x'));
  const file = { kind: 'file', mode: 0o644, blob } as const;
  for (const paths of [['a', 'a/b'], ['../x'], ['.git/config'], ['']]) {
    await expect(store.write(new Map(paths.map((path) => [path, file])))).rejects.toMatchObject({
      code: 'TREE_IMPOSSIBLE',
    });
  }
  const unknown = { ...file, blob: '0'.repeat(40) };
  await expect(store.write(new Map([['a', unknown]]))).rejects.toMatchObject({ code: 'STORE_DAMAGED' });
});

test('[L6] many files at once are kept as they are, can be had at once, and git reads them', async () => {
  const { folder, store, options } = await testStore();
  const files = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`f${at}`, `${at} `.repeat(at * 3)]));
  writeFiles(folder, files);
  const { tree } = await store.record(folder, options);
  let atOnce = 0;
  for (const [path, entry] of await store.entries(tree)) {
    const blob = 'blob' in entry ? entry.blob : '';
    const bytes = store.peek(blob);
    if (bytes !== null) atOnce += 1;
    expect((bytes ?? (await store.read(blob))).toString()).toBe(files[path]);
  }
  expect(atOnce).toBeGreaterThan(100);
  expect(store.peek(tree)).toBeNull();
  expect(store.peek('0'.repeat(40))).toBeNull();
  execFileSync('git', ['--git-dir', store.gitDir, 'fsck', '--full', '--strict'], { stdio: 'pipe' });
});

test('[L6] many small records stay few packs', async () => {
  const { folder, gitDir, store, options } = await testStore();
  const trees: TreeId[] = [];
  for (let round = 0; round < 60; round += 1) {
    writeFileSync(join(folder, 'a.txt'), `${round}`);
    trees.push((await store.record(folder, options)).tree);
  }
  await store.close();
  const again = await openTreeStore(gitDir);
  onTestFinished(() => again.close());
  for (const tree of trees) expect(await again.has(tree)).toBe(true);
  expect(execFileSync('ls', [join(gitDir, 'objects/pack')], { encoding: 'utf8' }).split('\n').length).toBeLessThan(72);
  expectSoundStore(gitDir);
});

test('[L6] two processes record into one store at once', async () => {
  const { base, folder, gitDir, store, options } = await testStore();
  const other = join(base, 'other');
  for (let at = 0; at < 30; at += 1) {
    writeFiles(folder, { [`f${at}`]: `${at}` });
    writeFiles(other, { [`f${at}`]: `${at}` });
  }
  const module = new URL('tree-store.ts', import.meta.url).href;
  const source = `
    import { appendFileSync } from 'node:fs';
    const { openTreeStore } = await import(${JSON.stringify(module)});
    const store = await openTreeStore(${JSON.stringify(gitDir)});
    const options = { index: ${JSON.stringify(join(base, 'other-index'))}, leaveOut: () => false };
    for (let round = 0; round < 40; round += 1) {
      appendFileSync(${JSON.stringify(join(other, 'f1'))}, 'x');
      console.log((await store.record(${JSON.stringify(other)}, options)).tree);
    }
    await store.close();`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (text: Buffer) => (said += text.toString()));
  const ended = once(child, 'close');
  const trees: TreeId[] = [];
  for (let round = 0; round < 40; round += 1) {
    appendFileSync(join(folder, 'f1'), 'x');
    trees.push((await store.record(folder, options)).tree);
    if (round % 10 === 0) await store.prune(trees, { olderThanMs: 0 });
  }
  await ended;
  const theirs = said.trim().split('\n').map(treeId);
  expect(theirs).toHaveLength(40);
  // Equal files have equal names, no matter which store recorded them.
  expect(theirs.at(-1)).toBe(trees.at(-1));
  for (const tree of [...trees, ...theirs]) expect(await store.has(tree)).toBe(true);
  expectSoundStore(gitDir);
});
