import type { TreeStore } from './tree-store.ts';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder, writeFiles } from '../testing/test-project.ts';
import { faultCode } from '../testing/test-workspaces.ts';
import type { TreeEntry } from './tree-types.ts';
import { testStore } from './testing/test-store.ts';
import { piecesOf } from './pieces.ts';

const MEGABYTE = 1024 * 1024;

test('[FI4] a file of 300 MB is kept, restored and planted exactly, in little memory, and its holes stay holes', () => {
  const job = fileURLToPath(new URL('testing/large-file-job.ts', import.meta.url));
  const output = execFileSync(process.execPath, [job, temporaryFolder(), '300'], { encoding: 'utf8' });
  const { isExact, grownMegabytes, takenBytes } = JSON.parse(output) as Record<string, unknown>;
  expect(isExact).toBe(true);
  expect(grownMegabytes).toBeLessThan(150);
  for (const bytes of takenBytes as readonly number[]) expect(bytes).toBeLessThan(10 * MEGABYTE);
}, 60_000);

test.each([
  ['that cannot be made smaller', randomBytes(5 * MEGABYTE)],
  ['that can', Buffer.from('word '.repeat(MEGABYTE))],
  ['of zeros with an odd end', Buffer.concat([Buffer.alloc(6 * MEGABYTE), Buffer.from('end')])],
])('[L6] a large content %s comes back piece by piece, from a pack and from a separate file', async (_, content) => {
  const { store, folder, options } = await testStore();
  writeFileSync(join(folder, 'packed'), content);
  const { tree } = await store.record(folder, options);
  const alone = await store.addBlob(Buffer.concat([content, Buffer.from('!')]));
  const packed = blobOf((await store.entries(tree)).get('packed'));
  expect(await whole(store, packed)).toSatisfy((bytes: Buffer) => bytes.equals(content));
  expect((await whole(store, alone)).length).toBe(content.length + 1);
  expect(await Promise.all([packed, alone].map((blob) => store.sizeOf(blob)))).toEqual([
    content.length,
    content.length + 1,
  ]);
  expect([packed, alone].map((blob) => store.large(blob) === null)).toEqual([false, false]);
  writeFiles(folder, { packed: 'small now' });
  await store.restore(tree, folder, options);
  expect(readFileSync(join(folder, 'packed')).equals(content)).toBe(true);
});

test('[L6] content that fits into memory is not handed out in pieces, and sizes are known without reading', async () => {
  const { store, folder, options } = await testStore();
  writeFiles(folder, { 'a.txt': 'four' });
  const { tree } = await store.record(folder, options);
  const blobs = [blobOf((await store.entries(tree)).get('a.txt')), await store.addBlob(Buffer.from('seven..'))];
  expect(blobs.map((blob) => store.large(blob))).toEqual([null, null]);
  expect(await Promise.all(blobs.map((blob) => store.sizeOf(blob)))).toEqual([4, 7]);
  expect(await faultCode(store.sizeOf('0'.repeat(40)))).toBe('STORE_DAMAGED');
});

test('[P11] a large content that was cut short on the disk is reported, and nothing half comes of it', async () => {
  const { store, folder, gitDir, options } = await testStore();
  writeFileSync(join(folder, 'large'), randomBytes(5 * MEGABYTE));
  const { tree } = await store.record(folder, options);
  const packs = join(gitDir, 'objects/pack');
  for (const name of readdirSync(packs)) if (name.endsWith('.pack')) execFileSync('chmod', ['u+w', join(packs, name)]);
  const large = readdirSync(packs).find(
    (name) => name.endsWith('.pack') && readFileSync(join(packs, name)).length > MEGABYTE,
  );
  truncateSync(join(packs, large ?? ''), 3 * MEGABYTE);
  writeFiles(folder, { large: 'mine' });
  expect(await faultCode(store.restore(tree, folder, options))).toBe('STORE_DAMAGED');
  expect(readdirSync(folder)).toEqual(['large']);
  expect(readFileSync(join(folder, 'large'), 'utf8')).toBe('mine');
});

test('[L6] keeping a large file can be stopped, and leaves nothing behind', async () => {
  const { store, folder, gitDir, options } = await testStore();
  writeFileSync(join(folder, 'large'), randomBytes(5 * MEGABYTE));
  const stop = new AbortController();
  const survey = (): void => stop.abort(new Error('enough'));
  await expect(store.record(folder, { ...options, survey, signal: stop.signal })).rejects.toThrow('enough');
  expect(readdirSync(join(gitDir, 'objects/pack'))).toEqual([]);
});

test('[FI5] [C40] a file over the limit is in no tree, so putting the folder back does not destroy it', async () => {
  const { store, folder, options } = await testStore();
  const limited = { ...options, maxFileBytes: 99 };
  writeFiles(folder, { 'grown.log': 'short', 'a.txt': 'a' });
  const { tree } = await store.record(folder, limited);
  writeFiles(folder, { 'grown.log': 'x'.repeat(100), 'out/new.bin': 'y'.repeat(200), 'a.txt': 'b' });
  const restored = await store.restore(tree, folder, limited);
  expect(restored.kept).toEqual(['grown.log.kept', 'out', 'out/new.bin']);
  expect(readFileSync(join(folder, 'grown.log'), 'utf8')).toBe('short');
  expect(readFileSync(join(folder, 'grown.log.kept'), 'utf8')).toBe('x'.repeat(100));
  expect(readFileSync(join(folder, 'out/new.bin'), 'utf8')).toBe('y'.repeat(200));
  writeFiles(folder, { 'grown.log': 'z'.repeat(100) });
  await store.restore(tree, folder, limited);
  expect(existsSync(join(folder, 'grown.log.kept-2'))).toBe(true);
});

function blobOf(entry: TreeEntry | undefined): string {
  return entry?.kind === 'file' ? entry.blob : '';
}

async function whole(store: TreeStore, blob: string): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of piecesOf(store, blob)) pieces.push(piece);
  expect(pieces.length).toBeGreaterThan(1);
  return Buffer.concat(pieces);
}
