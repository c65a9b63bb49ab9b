import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { TreeId } from '../../core/model/ids.ts';
import { describeFolder } from '../store/testing/describe-folder.ts';
import { RandomChanges } from '../store/testing/random-changes.ts';
import { expectSoundStore } from '../store/testing/sound-store.ts';
import { testStore, type TestStore } from '../store/testing/test-store.ts';
import { temporaryFolder, writeFiles } from '../testing/test-project.ts';
import { faultCode } from '../testing/test-workspaces.ts';
import { fetchTree } from './fetch-tree.ts';
import { openFolderStore } from './folder-store.ts';
import { type Body, type SharedStore, wholeOf } from './port.ts';
import { openPostgresStore } from './postgres-store.ts';
import { publishTree } from './publish-tree.ts';
import { testDatabases } from './testing/test-database.ts';

const databases = testDatabases();
const MEGABYTE = 1024 * 1024;

const STORES: [string, () => Promise<SharedStore>][] = [['a folder', () => openFolderStore(temporaryFolder())]];
if (!databases.isMissing) STORES.push(['PostgreSQL', async () => openPostgresStore(await databases.open())]);

describe.each(STORES)('by way of %s', (_, open) => {
  test('[U8] a tree arrives with its modes, links, empty folders and large files', async () => {
    const [here, there, shared] = [await testStore(), await testStore(), await open()];
    writeFiles(here.folder, { 'a.txt': 'a\r\n', 'src/b.ts': 'b', 'src/deep/er/c': '' });
    chmodSync(join(here.folder, 'src/b.ts'), 0o750);
    symlinkSync('../a.txt', join(here.folder, 'src/link'));
    mkdirSync(join(here.folder, 'empty'), { mode: 0o700 });
    writeFileSync(join(here.folder, 'noise'), randomBytes(5 * MEGABYTE));
    writeFileSync(join(here.folder, 'words'), 'word '.repeat(MEGABYTE));
    writeFileSync(join(here.folder, 'zeros'), Buffer.alloc(20 * MEGABYTE));
    const { tree } = await here.store.record(here.folder, here.options);
    const sent = await publishTree(here.store, shared, tree);
    expect(await fetchTree(there.store, shared, tree)).toEqual(sent);
    await there.store.restore(tree, there.folder, there.options);
    expect(describeFolder(there.folder)).toEqual(describeFolder(here.folder));
    expect(await there.store.has(tree)).toBe(true);
    expectSoundStore(there.gitDir);
  });

  test('[U8] only what the other side lacks travels, and nothing a second time', async () => {
    const [here, there, shared] = [await testStore(), await testStore(), await open()];
    const files = Array.from({ length: 60 }, (__, at) => [`src/${at % 6}/${at}.ts`, `file ${at}\n`.repeat(40)]);
    writeFiles(here.folder, Object.fromEntries(files) as Record<string, string>);
    const first = (await here.store.record(here.folder, here.options)).tree;
    await publishTree(here.store, shared, first);
    await fetchTree(there.store, shared, first);
    writeFiles(here.folder, { 'src/3/new.ts': 'new', 'src/3/9.ts': 'changed' });
    const second = (await here.store.record(here.folder, here.options)).tree;
    // Two files, their folder, the two above it, and the tree itself.
    expect((await publishTree(here.store, shared, second)).objects).toBe(6);
    expect((await fetchTree(there.store, shared, second)).objects).toBe(6);
    expect(await publishTree(here.store, shared, second)).toEqual({ objects: 0, bytes: 0 });
    expect(await publishTree(there.store, shared, second)).toEqual({ objects: 0, bytes: 0 });
    expect(await fetchTree(there.store, shared, second)).toEqual({ objects: 0, bytes: 0 });
  });

  test('[U8] hundreds of random changes arrive on the other side exactly, and come back', async () => {
    const [here, there, shared] = [await testStore(), await testStore(), await open()];
    const sides = [here, there];
    for (let round = 0; round < 12; round += 1) {
      const [from, to] = round % 2 === 0 ? [here, there] : [there, here];
      const changes = new RandomChanges(from.folder, 700 + round);
      for (let count = 0; count < 25; count += 1) changes.change();
      await pass(from, to, shared);
      expect(describeFolder(to.folder)).toEqual(describeFolder(from.folder));
    }
    for (const { gitDir } of sides) expectSoundStore(gitDir);
  });

  test('[U8] interrupted after any number of bodies it can be repeated, and no tree is seen by half', async () => {
    const [here, shared] = [await testStore(), await open()];
    writeFiles(here.folder, { a: 'a', 'b/c': 'c', 'b/d/e': 'e', 'f/d/e': 'e', 'b/f': randomBytes(300_000) });
    const { tree } = await here.store.record(here.folder, here.options);
    let cuts = 0;
    for (let after = 0; ; after += 1, cuts += 1) {
      const there = await testStore();
      const isCut = await cutAfter(after, shared, (cutting) => publishTree(here.store, cutting, tree));
      if (!isCut) break;
      expect(await faultCode(fetchTree(there.store, shared, tree))).toBe('TREE_GONE');
      expect(await there.store.has(tree)).toBe(false);
    }
    const there = await testStore();
    for (let after = 0; ; after += 1, cuts += 1) {
      if (!(await cutAfter(after, shared, (cutting) => fetchTree(there.store, cutting, tree)))) break;
      expect(await there.store.has(tree)).toBe(false);
    }
    expect(cuts).toBeGreaterThan(12);
    await there.store.restore(tree, there.folder, there.options);
    expect(describeFolder(there.folder)).toEqual(describeFolder(here.folder));
  });

  test('[U8] a damaged or lost object is refused, with what to do, and no tree is named', async () => {
    const [here, there, shared] = [await testStore(), await testStore(), await open()];
    writeFiles(here.folder, { a: 'some content', 'b/c': 'c' });
    writeFileSync(join(here.folder, 'large'), randomBytes(5 * MEGABYTE));
    const { tree } = await here.store.record(here.folder, here.options);
    await publishTree(here.store, shared, tree);
    const blobs = [...(await here.store.entries(tree)).values()].flatMap((entry) =>
      'blob' in entry ? [entry.blob] : [],
    );
    for (const [name, damage] of [...blobs, tree].flatMap((each) => DAMAGES.map((way) => [each, way] as const))) {
      const { store } = await testStore();
      const code = await faultCode(fetchTree(store, damaging(shared, name, damage), tree));
      expect(code).toBe(name === tree && damage === lost ? 'TREE_GONE' : 'STORE_DAMAGED');
      expect(await store.has(tree)).toBe(false);
    }
    await expect(fetchTree(there.store, damaging(shared, blobs[0] ?? '', lost), tree)).rejects.toMatchObject({
      hint: expect.stringContaining('backup') as unknown,
      facts: { object: blobs[0], tree },
    });
    await fetchTree(there.store, shared, tree);
    expect(await there.store.has(tree)).toBe(true);
    expectSoundStore(there.gitDir);
  });

  test('[U8] a tree that was not recorded here cannot be published', async () => {
    const [here, shared] = [await testStore(), await open()];
    expect(await faultCode(publishTree(here.store, shared, '1'.repeat(40) as TreeId))).toBe('TREE_GONE');
  });
});

test('[U8] the part of a tree that was removed here is fetched again', async () => {
  const [here, there] = [await testStore(), await testStore()];
  const shared = await openFolderStore(temporaryFolder());
  writeFiles(here.folder, { a: 'a', 'b/c': 'c' });
  const { tree } = await here.store.record(here.folder, here.options);
  await publishTree(here.store, shared, tree);
  await fetchTree(there.store, shared, tree);
  await there.store.forget(tree);
  expect(await there.store.has(tree)).toBe(false);
  await fetchTree(there.store, shared, tree);
  expect(await there.store.has(tree)).toBe(true);
});

test('[U8] git reads the packs of a shared folder', async () => {
  const here = await testStore();
  const folder = temporaryFolder();
  writeFiles(here.folder, Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`f${at}`, `content ${at}`])));
  const { tree } = await here.store.record(here.folder, here.options);
  await publishTree(here.store, await openFolderStore(folder), tree);
  const index = readdirSync(join(folder, 'packs')).find((name) => name.endsWith('.idx')) ?? '';
  const listed = execFileSync('git', ['verify-pack', '-v', join(folder, 'packs', index)], { encoding: 'utf8' });
  expect(listed.match(/^[0-9a-f]{40} blob/gm)?.length).toBe(31);
});

test('[U8] a pack of a shared folder that was cut short is refused', async () => {
  const [here, there] = [await testStore(), await testStore()];
  const folder = temporaryFolder();
  writeFiles(here.folder, Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`f${at}`, `content ${at}`])));
  const { tree } = await here.store.record(here.folder, here.options);
  await publishTree(here.store, await openFolderStore(folder), tree);
  const pack = readdirSync(join(folder, 'packs')).find((name) => name.endsWith('.pack')) ?? '';
  const path = join(folder, 'packs', pack);
  const bytes = readFileSync(path).length;
  chmodSync(path, 0o600);
  truncateSync(path, Math.floor(bytes / 2));
  expect(await faultCode(fetchTree(there.store, await openFolderStore(folder), tree))).toBe('STORE_DAMAGED');
  expect(await there.store.has(tree)).toBe(false);
  rmSync(path);
  expect(await faultCode(fetchTree(there.store, await openFolderStore(folder), tree))).toBe('TREE_GONE');
});

async function pass(from: TestStore, to: TestStore, shared: SharedStore): Promise<void> {
  const { tree } = await from.store.record(from.folder, from.options);
  await publishTree(from.store, shared, tree);
  await fetchTree(to.store, shared, tree);
  await to.store.restore(tree, to.folder, to.options);
}

/** Whether it was cut off by the loss of the connection after so many bodies. */
async function cutAfter(
  bodies: number,
  shared: SharedStore,
  work: (cutting: SharedStore) => Promise<unknown>,
): Promise<boolean> {
  let left = bodies;
  async function* cutting(all: Iterable<Body> | AsyncIterable<Body>): AsyncGenerator<Body> {
    for await (const body of all) {
      if (left === 0) throw new Error('cut off');
      left -= 1;
      yield body;
    }
  }
  const store: SharedStore = {
    missing: (names) => shared.missing(names),
    put: (all) => shared.put(cutting(all)),
    get: (names) => cutting(shared.get(names)),
    close: () => shared.close(),
  };
  return await work(store).then(
    () => false,
    (error: unknown) => {
      expect(error).toMatchObject({ message: 'cut off' });
      return true;
    },
  );
}

type Damage = (content: Buffer) => Buffer | null;

const flipped: Damage = (content) => {
  const copy = Buffer.from(content);
  const at = Math.floor(copy.length / 2);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
};
const cutShort: Damage = (content) => content.subarray(0, -1);
const lost: Damage = () => null;
const DAMAGES = [flipped, cutShort, lost];

function damaging(shared: SharedStore, name: string, damage: Damage): SharedStore {
  async function* get(names: readonly string[]): AsyncGenerator<Body> {
    for await (const body of shared.get(names)) {
      if (body.name !== name) yield body;
      else {
        const content = damage(await wholeOf(body.content));
        if (content !== null) yield { name, content };
      }
    }
  }
  return { missing: (n) => shared.missing(n), put: (b) => shared.put(b), get, close: () => shared.close() };
}
