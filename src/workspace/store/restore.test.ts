import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import type { TreeId } from '../../core/model/ids.ts';
import { git, temporaryFolder, writeFiles } from '../testing/test-project.ts';
import { describeFolder, describeGitDir } from './testing/describe-folder.ts';
import { RandomChanges } from './testing/random-changes.ts';
import { expectSoundStore } from './testing/sound-store.ts';
import { testStore } from './testing/test-store.ts';

test(
  '[L6] after 1,000 random changes every tree recorded on the way is restored exactly',
  { timeout: 120_000 },
  async () => {
    const { folder, gitDir, store, options } = await testStore();
    const changes = new RandomChanges(folder, 7);
    const recorded: { tree: TreeId; described: readonly string[] }[] = [];
    let done = 0;
    for (let round = 0; done < 1000; round += 1) {
      for (let step = 0; step < 50; step += 1) done += changes.change() ? 1 : 0;
      const described = describeFolder(folder);
      const { tree } = await store.record(folder, options);
      const { tree: again } = await store.record(folder, { ...options, index: join(gitDir, '..', `index-${round}`) });
      expect(again).toBe(tree);
      recorded.push({ tree, described });
      const earlier = recorded[(round * 7) % recorded.length];
      if (earlier === undefined) continue;
      const restored = await store.restore(earlier.tree, folder, options);
      expect(restored).toMatchObject({ before: tree, kept: [] });
      expect(describeFolder(folder)).toEqual(earlier.described);
      expect((await store.record(folder, options)).tree).toBe(earlier.tree);
      await store.restore(tree, folder, options);
      expect(describeFolder(folder)).toEqual(described);
    }
    const empty = join(temporaryFolder(), 'empty');
    mkdirSync(empty);
    for (const { tree, described } of recorded) {
      await store.restore(tree, empty, { ...options, index: `${empty}.index`, durable: false });
      expect(describeFolder(empty)).toEqual(described);
      expect(await store.write(await store.entries(tree))).toBe(tree);
    }
    expectSoundStore(gitDir);
  },
);

test('[L6] a user’s repository is left as it is by recording and restoring, and nothing it configures runs', async () => {
  const { base, folder, store, options } = await testStore();
  const canary = join(base, 'canary');
  writeFiles(folder, {
    'a.txt': 'one\r\n',
    'src/b.txt': '$Id$\n',
    '.gitattributes': '* text=auto ident filter=evil\n',
  });
  git(folder, 'init', '-q');
  git(folder, 'add', '-A');
  git(folder, 'commit', '-qm', 'first');
  for (const [key, value] of [
    ['filter.evil.clean', `touch ${canary}`],
    ['filter.evil.smudge', `touch ${canary}`],
    ['core.fsmonitor', `touch ${canary}`],
    ['core.autocrlf', 'true'],
  ] as const) {
    git(folder, 'config', key, value);
  }
  writeFileSync(join(folder, '.git/hooks/post-checkout'), `#!/bin/sh\ntouch ${canary}\n`, { mode: 0o755 });
  mkdirSync(join(folder, 'nested'));
  git(join(folder, 'nested'), 'init', '-q');
  writeFileSync(join(folder, 'nested/c.txt'), 'c');
  rmSync(canary, { force: true });
  const [repository, nested] = [describeGitDir(folder), describeGitDir(join(folder, 'nested'))];
  const before = describeFolder(folder);
  const { tree } = await store.record(folder, options);
  writeFiles(folder, { 'a.txt': 'two', 'nested/d.txt': 'd' });
  rmSync(join(folder, 'src'), { recursive: true });
  await store.restore(tree, folder, options);
  expect(describeFolder(folder)).toEqual(before);
  expect(describeGitDir(folder)).toEqual(repository);
  expect(describeGitDir(join(folder, 'nested'))).toEqual(nested);
  expect([...(await store.entries(tree)).keys()].some((path) => path.includes('.git/'))).toBe(false);
  expect(existsSync(canary)).toBe(false);
});

test('[L6] what is left out is neither recorded nor touched, and a folder that holds it stays', async () => {
  const { folder, store, options } = await testStore();
  const leaveOut = (path: string): boolean => path.split('/').includes('node_modules') || path === '.env';
  writeFiles(folder, { 'a.txt': 'a', '.env': 'SECRET', 'node_modules/x/i.js': 'x' });
  const { tree } = await store.record(folder, { ...options, leaveOut });
  expect([...(await store.entries(tree)).keys()]).toEqual(['a.txt']);
  writeFiles(folder, { 'pkg/node_modules/y.js': 'y', 'pkg/z.txt': 'z', '.env': 'OTHER' });
  const restored = await store.restore(tree, folder, { ...options, leaveOut });
  expect(restored).toMatchObject({ removed: 1, kept: ['pkg'] });
  expect(readdirSync(join(folder, 'pkg'))).toEqual(['node_modules']);
  expect(readFileSync(join(folder, '.env'), 'utf8')).toBe('OTHER');
});

test('[C34] [L6] pipes, sockets and files over the limit are reported, never opened, and left alone when restoring', async () => {
  const { folder, store, options } = await testStore();
  execFileSync('/usr/bin/env', ['mkfifo', join(folder, 'pipe')]);
  writeFiles(folder, { 'big.bin': 'x'.repeat(100), 'a.txt': 'a' });
  const limited = { ...options, maxFileBytes: 99 };
  const { tree, reports } = await store.record(folder, limited);
  expect([...reports].sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
    { path: 'big.bin', why: 'too-large' },
    { path: 'pipe', why: 'special' },
  ]);
  expect((await store.entries(tree)).get('pipe')).toEqual({ kind: 'unkept', why: 'special' });
  expect(await store.write(await store.entries(tree))).toBe(tree);
  execFileSync('/usr/bin/env', ['mkfifo', join(folder, 'second')]);
  writeFiles(folder, { 'a.txt': 'b' });
  await store.restore(tree, folder, limited);
  expect(readdirSync(folder).sort()).toEqual(['a.txt', 'big.bin', 'pipe']);
});

test('[L6] set-user-id bits are reported and not brought back', async () => {
  const { folder, store, options } = await testStore();
  writeFiles(folder, { tool: '#!/bin/sh\n' });
  chmodSync(join(folder, 'tool'), 0o755);
  const { tree } = await store.record(folder, options);
  chmodSync(join(folder, 'tool'), 0o4755);
  const now = await store.record(folder, options);
  expect(now).toMatchObject({ tree, reports: [{ path: 'tool', why: 'special-bits' }] });
  await store.restore(tree, folder, options);
  expect(lstatSync(join(folder, 'tool')).mode & 0o7777).toBe(0o755);
});

test('[L6] folders without permission to write are restored with all that is in them', async () => {
  const { folder, store, options } = await testStore();
  writeFiles(folder, { 'closed/deep/a.txt': 'a', 'closed/b.txt': 'b' });
  chmodSync(join(folder, 'closed/b.txt'), 0o400);
  chmodSync(join(folder, 'closed/deep'), 0o500);
  chmodSync(join(folder, 'closed'), 0o555);
  const before = describeFolder(folder);
  const { tree } = await store.record(folder, options);
  chmodSync(join(folder, 'closed'), 0o755);
  chmodSync(join(folder, 'closed/deep'), 0o755);
  writeFileSync(join(folder, 'closed/deep/a.txt'), 'changed');
  rmSync(join(folder, 'closed/b.txt'));
  writeFiles(folder, { 'closed/new/c.txt': 'c' });
  chmodSync(join(folder, 'closed/new'), 0o500);
  chmodSync(join(folder, 'closed/deep'), 0o500);
  chmodSync(join(folder, 'closed'), 0o500);
  await store.restore(tree, folder, options);
  expect(describeFolder(folder)).toEqual(before);
  for (const name of ['closed', 'closed/deep']) chmodSync(join(folder, name), 0o755);
});

test('[L6] files and folders closed to everybody hinder neither recording nor restoring', async () => {
  const { folder, store, options } = await testStore();
  writeFiles(folder, { 'a.txt': 'a', 'd/b.txt': 'b', 'c.txt': 'c' });
  const before = describeFolder(folder);
  const { tree } = await store.record(folder, options);
  for (const name of ['a.txt', 'd/b.txt', 'd']) chmodSync(join(folder, name), 0);
  const closed = await store.record(folder, options);
  const isRoot = process.getuid?.() === 0;
  expect(closed.reports.map(({ path, why }) => `${path} ${why}`).sort()).toEqual(
    isRoot ? [] : ['a.txt unreadable', 'd unreadable'],
  );
  await store.restore(tree, folder, options);
  expect(describeFolder(folder)).toEqual(before);
});

test('[L6] a folder that is gone is made again by restoring, and recording it is a fault', async () => {
  const { folder, store, options } = await testStore();
  writeFiles(folder, { 'd/a.txt': 'a' });
  const before = describeFolder(folder);
  const { tree } = await store.record(folder, options);
  rmSync(folder, { recursive: true });
  await expect(store.record(folder, options)).rejects.toMatchObject({ code: 'FOLDER_MISSING' });
  await store.restore(tree, folder, options);
  expect(describeFolder(folder)).toEqual(before);
});

test('[C31] [P5] a link is restored as a link, and nothing is written through one', async () => {
  const { base, folder, store, options } = await testStore();
  const outside = join(base, 'outside');
  writeFiles(base, { 'outside/secret.txt': 'secret', 'folder/dir/secret.txt': 'mine' });
  const { tree } = await store.record(folder, options);
  rmSync(join(folder, 'dir'), { recursive: true });
  symlinkSync(outside, join(folder, 'dir'));
  const swapped = await store.record(folder, options);
  expect((await store.entries(swapped.tree)).get('dir')?.kind).toBe('link');
  await store.restore(tree, folder, options);
  expect(readFileSync(join(folder, 'dir/secret.txt'), 'utf8')).toBe('mine');
  await store.restore(swapped.tree, folder, options);
  expect(lstatSync(join(folder, 'dir')).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(outside, 'secret.txt'), 'utf8')).toBe('secret');
});

test('[L6] stopped halfway, the same restore again gives the exact tree', async () => {
  const { folder, store, options } = await testStore();
  for (let at = 0; at < 40; at += 1) writeFiles(folder, { [`d${at % 5}/f${at}`]: `first ${at}` });
  const before = describeFolder(folder);
  const { tree } = await store.record(folder, options);
  for (let at = 0; at < 40; at += 2) rmSync(join(folder, `d${at % 5}/f${at}`));
  writeFiles(folder, { 'new/x': 'x', 'd1/f1': 'other' });
  const stop = new AbortController();
  let looked = 0;
  const leaveOut = (): boolean => false;
  const signal = stop.signal;
  const throwIfAborted = signal.throwIfAborted.bind(signal);
  Object.defineProperty(signal, 'throwIfAborted', {
    value: () => {
      looked += 1;
      if (looked > 12) stop.abort(new Error('stopped'));
      throwIfAborted();
    },
  });
  await expect(store.restore(tree, folder, { ...options, leaveOut, signal })).rejects.toThrow('stopped');
  expect(describeFolder(folder)).not.toEqual(before);
  await store.restore(tree, folder, options);
  expect(describeFolder(folder)).toEqual(before);
});

test('[L6] what is left out now stays, even where the tree has another file in its place', async () => {
  const { folder, store, options } = await testStore();
  writeFiles(folder, { '.env': 'old', 'build/a.js': 'old', 'a.txt': 'a' });
  const { tree } = await store.record(folder, options);
  writeFiles(folder, { '.env': 'new', 'build/a.js': 'new', 'a.txt': 'b' });
  const leaveOut = (path: string): boolean => path === '.env' || path === 'build';
  await store.restore(tree, folder, { ...options, leaveOut });
  const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
  expect([read('.env'), read('build/a.js'), read('a.txt')]).toEqual(['new', 'new', 'a']);
});

test('[L6] a folder that holds its own repository stays, and is reported, where the tree has a file', async () => {
  const { folder, store, options } = await testStore();
  writeFiles(folder, { place: 'a file', 'a.txt': 'a' });
  const { tree } = await store.record(folder, options);
  rmSync(join(folder, 'place'));
  writeFiles(folder, { 'place/.git/config': 'x', 'place/b.txt': 'b', 'a.txt': 'b' });
  expect(await store.restore(tree, folder, options)).toMatchObject({ kept: ['place'], written: 1, removed: 1 });
  expect(readdirSync(join(folder, 'place'))).toEqual(['.git']);
  expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('a');
});

test('[C32] [P5] while a folder turns into a link and back, nothing outside is recorded or changed', async () => {
  const { base, folder, store, options } = await testStore();
  const outside = join(base, 'outside');
  writeFiles(base, { 'outside/f.txt': 'secret', 'outside/in/x.txt': 'secret' });
  writeFiles(base, { 'folder/swap/f.txt': 'mine', 'folder/a.txt': 'a' });
  const before = describeFolder(outside);
  const { tree } = await store.record(folder, options);
  symlinkSync(outside, join(base, 'link'));
  const worker = new Worker(SWAPPING, { eval: true, workerData: { base } });
  onTestFinished(() => void worker.terminate());
  await once(worker, 'message');
  const blobs = new Set<string>();
  const paths = new Set<string>();
  for (let tries = 0; tries < 300; tries += 1) {
    const recorded = await store.record(folder, { ...options, index: join(base, `index-${tries % 2}`) });
    for (const [path, entry] of await store.entries(recorded.tree)) {
      paths.add(path);
      if (entry.kind === 'file') blobs.add(entry.blob);
    }
    await store.restore(tree, folder, options).catch(() => undefined);
  }
  await worker.terminate();
  const contents = await Promise.all([...blobs].map((blob) => store.read(blob)));
  expect(contents.map(String)).not.toContain('secret');
  expect([...paths].filter((path) => path.includes('/in'))).toEqual([]);
  expect(describeFolder(outside)).toEqual(before);
});

const SWAPPING = `
  const { renameSync } = require('node:fs');
  const { workerData: { base }, parentPort } = require('node:worker_threads');
  const tryTo = (from, to) => { try { renameSync(base + from, base + to); } catch {} };
  parentPort.postMessage('ready');
  for (;;) {
    tryTo('/folder/swap', '/aside');
    tryTo('/link', '/folder/swap');
    tryTo('/folder/swap', '/link');
    tryTo('/aside', '/folder/swap');
  }`;
