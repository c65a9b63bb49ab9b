import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { PathRefused, splitPath } from './confined-path.ts';
import { readHeldFile, writeHeldFile } from './held-file.ts';
import { HeldFolder, withFolder, type WalkMethod } from './held-folder.ts';

const METHODS: readonly WalkMethod[] = ['descriptor', 'lstat'];

function place(parent = tmpdir()) {
  const base = mkdtempSync(join(parent, 'held-'));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const root = join(base, 'root');
  const outside = join(base, 'outside');
  mkdirSync(root);
  mkdirSync(outside);
  writeFileSync(join(outside, 'secret.txt'), 'secret');
  return { root, outside };
}

function files(root: string, method: WalkMethod) {
  const walk = (path: string, create: boolean) => ({ root, names: splitPath(path).slice(0, -1), method, create });
  const name = (path: string) => splitPath(path).at(-1) ?? '';
  return {
    read: (path: string, maxBytes = 1000) =>
      withFolder(walk(path, false), async (folder) => String(await readHeldFile(folder, name(path), { maxBytes }))),
    write: (path: string, content: string, create = true) =>
      withFolder(walk(path, create), (folder) => writeHeldFile(folder, name(path), { content })),
  };
}

const reasonOf = async (action: Promise<unknown>) => {
  const error: unknown = await action.then(
    () => 'done',
    (reason: unknown) => reason,
  );
  return error instanceof PathRefused ? error.reason : error;
};

test.each(METHODS)('[SM7] a file is written with its folders and read back (%s)', async (method) => {
  const { root } = place();
  const { read, write } = files(root, method);
  expect(await write('a/b/c.txt', 'one')).toEqual({ created: true });
  expect(await write('a/b/c.txt', 'two')).toEqual({ created: false });
  expect(await read('a/b/c.txt')).toBe('two');
  expect(readdirSync(join(root, 'a/b'))).toEqual(['c.txt']);
});

test('[L6] replacing a file keeps its mode, and its special bits are not revived', async () => {
  const { root } = place();
  writeFileSync(join(root, 'run.sh'), 'old');
  chmodSync(join(root, 'run.sh'), 0o4751);
  await files(root, 'descriptor').write('run.sh', 'new');
  expect(statSync(join(root, 'run.sh')).mode & 0o7777).toBe(0o751);
});

test.each(METHODS)('[SM7] links are neither read nor written nor walked through (%s)', async (method) => {
  const { root, outside } = place();
  symlinkSync(join(outside, 'secret.txt'), join(root, 'file'));
  symlinkSync(outside, join(root, 'folder'));
  symlinkSync(join(outside, 'nothing'), join(root, 'dangling'));
  symlinkSync('file', join(root, 'chain'));
  symlinkSync('loop', join(root, 'loop'));
  const { read, write } = files(root, method);
  for (const path of ['file', 'dangling', 'chain', 'loop', 'folder/secret.txt', 'folder/new.txt', 'loop/x']) {
    const reasons = { path, write: await reasonOf(write(path, 'x')), read: await reasonOf(read(path)) };
    expect(reasons).toEqual({ path, write: 'link', read: 'link' });
  }
  expect(readdirSync(outside)).toEqual(['secret.txt']);
  expect(readFileSync(join(outside, 'secret.txt'), 'utf8')).toBe('secret');
});

test('[SM7] a file with a second name is not written', async () => {
  const { root, outside } = place();
  linkSync(join(outside, 'secret.txt'), join(root, 'twin'));
  expect(await reasonOf(files(root, 'descriptor').write('twin', 'x'))).toBe('hard-link');
  expect(readFileSync(join(outside, 'secret.txt'), 'utf8')).toBe('secret');
});

test('[SM7] pipes, sockets, devices and huge sparse files are refused at once', async () => {
  const { root } = place();
  execFileSync('/usr/bin/env', ['mkfifo', join(root, 'pipe')]);
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(join(root, 'socket'), resolve);
  });
  onTestFinished(() => void server.close());
  writeFileSync(join(root, 'sparse'), '');
  truncateSync(join(root, 'sparse'), 2 ** 40);
  const { read, write } = files(root, 'descriptor');
  expect(await reasonOf(read('pipe'))).toBe('special');
  expect(await reasonOf(write('pipe', 'x'))).toBe('special');
  expect(await reasonOf(read('socket'))).toBe('special');
  expect(await reasonOf(read('sparse'))).toBe('too-large');
  const devices = files('/dev', 'descriptor');
  expect(await reasonOf(devices.read('zero'))).toBe('special');
  expect(await reasonOf(devices.read('stdin'))).toBe('link');
  expect(await reasonOf(files('/proc/self/fd', 'descriptor').read('0'))).toBe('link');
});

test('[SM7] a folder is no file, a file is no folder, and a missing one is reported as missing', async () => {
  const { root } = place();
  mkdirSync(join(root, 'folder'));
  writeFileSync(join(root, 'file'), '');
  const { read, write } = files(root, 'descriptor');
  expect(await reasonOf(read('folder'))).toBe('is-a-folder');
  expect(await reasonOf(write('folder', ''))).toBe('is-a-folder');
  expect(await reasonOf(read('file/x'))).toBe('not-a-folder');
  expect(await reasonOf(read('nothing/x'))).toBe('missing');
  expect(await reasonOf(write('n'.repeat(256), ''))).toBe('too-long');
});

test('[SM7] odd names are stored exactly', async () => {
  const { root } = place();
  const { read, write } = files(root, 'descriptor');
  const names = [
    'a\nb',
    '\u001b[31mred',
    'x\u202etxt',
    'é'.normalize('NFC'),
    'é'.normalize('NFD'),
    'Case',
    'case',
    'l'.repeat(255),
  ];
  for (const name of names) await write(name, name);
  expect(readdirSync(root).sort()).toEqual([...names].sort());
  for (const name of names) expect(await read(name)).toBe(name);
});

test('[SM7] an entry name with a slash never reaches the disk', async () => {
  const { root } = place();
  const folder = await HeldFolder.open(root);
  onTestFinished(() => folder.close());
  for (const name of ['../outside/secret.txt', '..', '.', '', 'a/b'])
    expect(() => folder.at(name)).toThrow(PathRefused);
});

/** Swaps `swap` between a folder and a link to the outside, as fast as a thread can, and counts. */
function startSwapping(root: string, outside: string) {
  const counter = new Int32Array(new SharedArrayBuffer(4));
  mkdirSync(join(root, 'swap'));
  writeFileSync(join(root, 'swap', 'secret.txt'), 'mine');
  symlinkSync(outside, join(root, 'link'));
  const source = `
    const { renameSync } = require('node:fs');
    const { workerData: { root, counter } } = require('node:worker_threads');
    for (;;) {
      renameSync(root + '/swap', root + '/aside');
      renameSync(root + '/link', root + '/swap');
      renameSync(root + '/swap', root + '/link');
      renameSync(root + '/aside', root + '/swap');
      Atomics.add(counter, 0, 1);
    }`;
  const worker = new Worker(source, { eval: true, workerData: { root, counter } });
  onTestFinished(() => void worker.terminate());
  return { swaps: () => Atomics.load(counter, 0), stop: () => worker.terminate() };
}

test('[SM7] in 2,500 writes and 2,500 reads racing a folder that turns into a link, none escapes', async () => {
  // In memory if possible: more tries in the same time.
  const { root, outside } = place(existsSync('/dev/shm') ? '/dev/shm' : tmpdir());
  const { read, write } = files(root, 'descriptor');
  const swapping = startSwapping(root, outside);
  await expect.poll(swapping.swaps, { interval: 1 }).toBeGreaterThan(0);
  const seen = new Map<unknown, number>();
  const count = (key: unknown) => seen.set(key, (seen.get(key) ?? 0) + 1);
  for (let tries = 0; tries < 2500; tries += 1) {
    count(await reasonOf(write('swap/new.txt', 'x', false)));
    const content = await read('swap/secret.txt').catch(() => 'refused');
    expect(content).not.toBe('secret');
    count(content);
  }
  await swapping.stop();
  expect(readdirSync(outside)).toEqual(['secret.txt']);
  expect(readFileSync(join(outside, 'secret.txt'), 'utf8')).toBe('secret');
  // The race was a race: both sides won some of it.
  expect(swapping.swaps()).toBeGreaterThan(100);
  expect(seen.get('done')).toBeGreaterThan(0);
  expect(seen.get('mine')).toBeGreaterThan(0);
  expect(seen.get('refused')).toBeGreaterThan(0);
});
