import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { writeFiles } from '../testing/test-project.ts';
import { describeFolder } from './testing/describe-folder.ts';
import { expectSoundStore } from './testing/sound-store.ts';
import { testStore } from './testing/test-store.ts';
import { openTreeStore } from './tree-store.ts';

/** As if everything in the store had been written two hours ago. */
function age(gitDir: string): void {
  const then = new Date(Date.now() - 2 * 60 * 60 * 1000);
  for (const entry of readdirSync(gitDir, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) utimesSync(join(entry.parentPath, entry.name), then, then);
  }
}

test('[L6] pruning keeps the kept trees whole, removes the others, and frees space', async () => {
  const { folder, gitDir, store, options } = await testStore();
  writeFiles(folder, { 'a.txt': 'a', 'd/b.txt': 'x'.repeat(5000) });
  const kept = await store.record(folder, options);
  const described = describeFolder(folder);
  writeFiles(folder, { 'a.txt': Buffer.from(Array.from({ length: 20_000 }, (_, at) => (at * 7919) % 251)) });
  const old = await store.record(folder, options);
  await store.addBlob(Buffer.from('nobody needs this'));
  age(gitDir);
  const pruned = await store.prune([kept.tree], { olderThanMs: 0 });
  expect(pruned.removedObjects).toBeGreaterThan(2);
  expect(pruned.freedBytes).toBeGreaterThan(100);
  expect([await store.has(kept.tree), await store.has(old.tree)]).toEqual([true, false]);
  await expect(store.entries(old.tree)).rejects.toMatchObject({ code: 'TREE_GONE' });
  expectSoundStore(gitDir);
  await store.restore(kept.tree, folder, options);
  expect(describeFolder(folder)).toEqual(described);
});

test('[L6] what is younger than an hour stays, whatever is asked for', async () => {
  const { folder, gitDir, store, options } = await testStore();
  writeFiles(folder, { 'a.txt': 'a' });
  const first = await store.record(folder, options);
  writeFiles(folder, { 'a.txt': 'b' });
  await store.record(folder, options);
  age(gitDir);
  writeFiles(folder, { 'a.txt': 'a' });
  // Recorded again: its objects are old, the tree is not.
  expect((await store.record(folder, options)).tree).toBe(first.tree);
  await store.prune([], { olderThanMs: 0 });
  expect(await store.has(first.tree)).toBe(true);
});

test('[L6] a process that remembers what another pruned records whole trees', async () => {
  const { folder, gitDir, store, options } = await testStore();
  writeFiles(folder, { 'a.txt': 'a', 'd/b.txt': 'b' });
  const { tree } = await store.record(folder, options);
  const other = await openTreeStore(gitDir);
  onTestFinished(() => other.close());
  age(gitDir);
  await other.prune([], { olderThanMs: 0 });
  expect(await store.has(tree)).toBe(false);
  expect((await store.record(folder, options)).tree).toBe(tree);
  expect(await store.has(tree)).toBe(true);
  expectSoundStore(gitDir);
});

test('[P8] a forgotten tree is removed whole, and takes nothing from others', async () => {
  const { folder, gitDir, store, options } = await testStore();
  writeFiles(folder, { 'a.txt': 'a', 'd/b.txt': 'shared' });
  const kept = await store.record(folder, options);
  writeFiles(folder, { 'd/secret.txt': 'the secret', 'd/c.txt': 'shared' });
  const loose = await store.addBlob(Buffer.from('the secret'));
  const dirty = await store.record(folder, options);
  await store.restore(kept.tree, folder, options);
  const described = describeFolder(folder);
  await store.forget(dirty.tree);
  expect([await store.has(kept.tree), await store.has(dirty.tree)]).toEqual([true, false]);
  await expect(store.read(loose)).rejects.toMatchObject({ code: 'STORE_DAMAGED' });
  expectSoundStore(gitDir);
  expect((await store.record(folder, options)).tree).toBe(kept.tree);
  writeFiles(folder, { 'd/secret.txt': 'the secret', 'd/c.txt': 'shared' });
  expect((await store.record(folder, options)).tree).toBe(dirty.tree);
  await store.restore(kept.tree, folder, options);
  expect(describeFolder(folder)).toEqual(described);
});

test('[L6] what a dying process left half written goes with time', async () => {
  const { gitDir, store } = await testStore();
  const left = join(gitDir, 'objects/pack/tmp_x.pack');
  writeFileSync(left, 'half');
  await store.prune([], { olderThanMs: 0 });
  expect(readdirSync(join(gitDir, 'objects/pack'))).toEqual(['tmp_x.pack']);
  age(gitDir);
  await store.prune([], { olderThanMs: 0 });
  expect(readdirSync(join(gitDir, 'objects/pack'))).toEqual([]);
});
