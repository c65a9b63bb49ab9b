import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TreeId } from '../../core/model/ids.ts';
import { PackDraft } from '../store/pack-format.ts';
import { describeFolder } from '../store/testing/describe-folder.ts';
import { expectSoundStore } from '../store/testing/sound-store.ts';
import { testStore, type TestStore } from '../store/testing/test-store.ts';
import { temporaryFolder, writeFiles } from '../testing/test-project.ts';
import { faultCode } from '../testing/test-workspaces.ts';
import { fetchTree } from './fetch-tree.ts';
import { openFolderStore } from './folder-store.ts';
import { applyDelta, encodeDelta } from './git-delta.ts';
import { getBlob } from './packed-body.ts';
import { type Body, type SharedStore, wholeOf } from './port.ts';
import { publishTree } from './publish-tree.ts';

const FILES = 40;

test('[U8] changed files cost no more than a tenth above what git packs of the difference', async () => {
  const { here, there, shared, first } = await sharedProject();
  writeFiles(here.folder, { 'src/3/f3.ts': changed(3, 'one line'), 'src/4/f9.ts': changed(9, 'another line') });
  const second = await record(here);
  const sent = await publishTree(here.store, shared, second);
  const fetched = await fetchTree(there.store, shared, second);
  expect(fetched).toEqual(sent);
  expect(sent.bytes).toBeLessThanOrEqual(1.1 * thinPack(here, second, first));
  expect(sent.bytes).toBeLessThan(source(3).length / 4);
  expect(await contentOf(there, second)).toEqual(describeFolder(here.folder));
});

test('[U8] a worker that has nothing gets a file of a hundred versions, each a difference to the one before', async () => {
  const { here, there, shared } = await sharedProject();
  let tree = await record(here);
  let sum = 0;
  for (let version = 0; version < 100; version += 1) {
    writeFiles(here.folder, { 'src/3/f3.ts': changed(3, `version ${version}`) });
    tree = await record(here);
    sum += (await publishTree(here.store, shared, tree)).bytes;
  }
  expect(sum).toBeLessThan(100 * (source(3).length / 4));
  const empty = await testStore();
  await fetchTree(empty.store, shared, tree);
  expect(await contentOf(empty, tree)).toEqual(describeFolder(here.folder));
  await fetchTree(there.store, shared, tree);
  expect(await contentOf(there, tree)).toEqual(describeFolder(here.folder));
});

test('[U8] two machines change one file by turns, and a third gets it', async () => {
  const { here, there, shared } = await sharedProject();
  let tree = await record(here);
  for (let round = 0; round < 6; round += 1) {
    const [from, to] = round % 2 === 0 ? [here, there] : [there, here];
    writeFiles(from.folder, { 'src/3/f3.ts': changed(3, `round ${round}`) });
    tree = await record(from);
    await publishTree(from.store, shared, tree);
    await fetchTree(to.store, shared, tree);
    await to.store.restore(tree, to.folder, to.options);
  }
  const third = await testStore();
  await fetchTree(third.store, shared, tree);
  expect(await contentOf(third, tree)).toEqual(describeFolder(here.folder));
});

test('[U8] a shared store that was emptied is filled again, without differences to what is not there', async () => {
  const { here, shared, folder } = await sharedProject();
  writeFiles(here.folder, { 'src/3/f3.ts': changed(3, 'one line') });
  const second = await record(here);
  for (const name of ['packs', 'bodies']) {
    rmSync(join(folder, name), { recursive: true });
    mkdirSync(join(folder, name));
  }
  await publishTree(here.store, shared, second);
  const other = await testStore();
  await fetchTree(other.store, shared, second);
  expect(await contentOf(other, second)).toEqual(describeFolder(here.folder));
});

test('[U8] a difference to an object that was lost, or in a circle, is refused, and no tree is named', async () => {
  const { here, shared } = await sharedProject();
  const before = await blobAt(here);
  writeFiles(here.folder, { 'src/3/f3.ts': changed(3, 'one line') });
  const tree = await record(here);
  const after = await blobAt(here);
  await publishTree(here.store, shared, tree);
  const difference = await bodyOf(shared, after);
  for (const stand of [null, difference]) {
    const { store } = await testStore();
    const faulty = replacing(shared, before, stand);
    expect(await faultCode(fetchTree(store, faulty, tree))).toBe('STORE_DAMAGED');
    expect(await store.has(tree)).toBe(false);
  }
  expect((await getBlob(shared, after)).toString()).toBe(changed(3, 'one line'));
});

test('[U8] git reads our differences', async () => {
  const { here, shared } = await sharedProject();
  writeFiles(here.folder, { 'src/3/f3.ts': changed(3, 'one line') });
  await publishTree(here.store, shared, await record(here));
  const id = await blobAt(here);
  const pack = new PackDraft();
  pack.addPacked(id, await bodyOf(shared, id));
  const folder = temporaryFolder();
  const git = (input: Buffer | string, ...words: readonly string[]): string =>
    execFileSync('git', words, { cwd: folder, input, encoding: 'utf8', stdio: 'pipe' });
  git('', 'init', '-q');
  git(source(3), 'hash-object', '-w', '--stdin');
  git(Buffer.concat(pack.finish().pack), 'index-pack', '--stdin', '--fix-thin');
  expect(git('', 'cat-file', 'blob', id)).toBe(changed(3, 'one line'));
});

test('[U8] any content can be had as a difference to any other', () => {
  const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));
  fc.assert(
    fc.property(
      fc.array(bytes, { minLength: 1, maxLength: 8 }),
      fc.array(fc.nat(), { maxLength: 20 }),
      (parts, picks) => {
        const base = Buffer.concat(parts);
        const target = Buffer.concat(picks.map((pick) => parts[pick % parts.length] ?? Buffer.alloc(0)));
        expect(applyDelta(base, encodeDelta(base, target))).toEqual(target);
      },
    ),
  );
});

test('[U8] a damaged difference gives nothing or is cut by its hash, and never reads beyond its content', () => {
  const [base, target] = [Buffer.from(source(1)), Buffer.from(changed(1, 'a line'))];
  const delta = encodeDelta(base, target);
  for (let at = 0; at < delta.length; at += 1) {
    const broken = Buffer.from(delta);
    broken[at] = (broken[at] ?? 0) ^ 0xff;
    const found = applyDelta(base, broken);
    expect(found === null || found.length < 2 ** 24).toBe(true);
    expect(applyDelta(base, delta.subarray(0, at))?.equals(target) ?? false).toBe(false);
  }
  expect(applyDelta(target, delta)).toBeNull();
});

const source = (file: number): string =>
  Array.from(
    { length: 120 },
    (_, line) => `export const value${line} = ${(file * 7919 + line * 104_729) % 1_000_003};\n`,
  ).join('');

/** The same with another line in its middle. */
const changed = (file: number, line: string): string => source(file).replace(/export const value60 .*/, `// ${line}`);

/** A project that both have. */
async function sharedProject() {
  const [here, there, folder] = [await testStore(), await testStore(), temporaryFolder()];
  const shared = await openFolderStore(folder);
  writeFiles(
    here.folder,
    Object.fromEntries(Array.from({ length: FILES }, (_, file) => [`src/${file % 5}/f${file}.ts`, source(file)])),
  );
  const first = await record(here);
  await publishTree(here.store, shared, first);
  await fetchTree(there.store, shared, first);
  await there.store.restore(first, there.folder, there.options);
  return { here, there, shared, first, folder };
}

const record = async ({ store, folder, options }: TestStore): Promise<TreeId> =>
  (await store.record(folder, options)).tree;

async function contentOf({ store, folder, options, gitDir }: TestStore, tree: TreeId): Promise<unknown> {
  await store.restore(tree, folder, options);
  expectSoundStore(gitDir);
  return describeFolder(folder);
}

/** The bytes of git's pack for somebody who has the tree before. */
function thinPack({ gitDir }: TestStore, tree: TreeId, before: TreeId): number {
  const git = (input: string, ...words: readonly string[]): Buffer =>
    execFileSync('git', ['--git-dir', gitDir, '-c', 'user.name=t', '-c', 'user.email=t@example.invalid', ...words], {
      input,
    });
  const commit = (of: TreeId, ...parents: readonly string[]): string =>
    git('', 'commit-tree', of, '-m', '', ...parents)
      .toString()
      .trim();
  const base = commit(before);
  const next = commit(tree, '-p', base);
  const pack = (input: string, ...words: readonly string[]): number =>
    git(input, 'pack-objects', '--stdout', '-q', '--no-reuse-object', ...words).length;
  // Git finds the objects to compare with by commits, which do not count here.
  return pack(`${next}\n^${base}\n`, '--revs', '--thin') - (pack(`${next}\n`) - pack(''));
}

async function blobAt({ store, folder, options }: TestStore): Promise<string> {
  const { tree } = await store.record(folder, options);
  const entry = [...(await store.entries(tree))].find(([path]) => path === 'src/3/f3.ts')?.[1];
  return entry !== undefined && 'blob' in entry ? entry.blob : '';
}

async function bodyOf(shared: SharedStore, name: string): Promise<Buffer> {
  for await (const { content } of shared.get([name])) return await wholeOf(content);
  throw new Error(`${name} is not there`);
}

/** A store in which this body differs, or is missing. */
function replacing(shared: SharedStore, name: string, content: Buffer | null): SharedStore {
  async function* get(names: readonly string[]): AsyncGenerator<Body> {
    for await (const body of shared.get(names)) {
      if (body.name !== name) yield body;
      else if (content !== null) yield { name, content };
    }
  }
  return { missing: (n) => shared.missing(n), put: (b) => shared.put(b), get, close: () => shared.close() };
}
