import { expect, test } from 'vitest';
import { takeSide } from './plan-apply.ts';
import { storeWorld } from './testing/store-world.ts';

const inFolder = { 'src/a': 'merged\n', 'src/b': 'new\n' };
const modeOnly = { kind: 'folder', blob: null } as const;

test('[PD7] the mode of a folder is taken without what is in it', async () => {
  const { store, treeOf } = await storeWorld();
  const tree = await treeOf({ ...inFolder, 'src/': { mode: 0o700 } });
  const from = await treeOf({ 'src/a': 'theirs\n', 'src/': { mode: 0o750 } });
  const take = (mode: number) =>
    takeSide(store, tree, [{ path: 'src', kind: 'mode', side: { ...modeOnly, mode }, from }]);
  expect(await take(0o750)).toBe(await treeOf({ ...inFolder, 'src/': { mode: 0o750 } }));
  expect(await take(0o755)).toBe(await treeOf(inFolder));
});

test('[PD7] a folder that no entry names gets the mode that is taken', async () => {
  const { store, treeOf } = await storeWorld();
  const tree = await treeOf(inFolder);
  const taken = { path: 'src', kind: 'mode', side: { ...modeOnly, mode: 0o700 }, from: tree } as const;
  expect(await takeSide(store, tree, [taken])).toBe(await treeOf({ ...inFolder, 'src/': { mode: 0o700 } }));
});

test('[PD7] the mode of a file is taken without its content, and nothing comes to be where nothing is', async () => {
  const { store, treeOf } = await storeWorld();
  const tree = await treeOf({ run: { content: 'merged\n', mode: 0o600 } });
  const from = await treeOf({ run: { content: 'old\n', mode: 0o755 } });
  const entry = (await store.entries(from)).get('run');
  const side = { kind: 'file', mode: 0o755, blob: entry?.kind === 'file' ? entry.blob : null } as const;
  const take = (path: string) => takeSide(store, tree, [{ path, kind: 'mode', side, from }]);
  expect(await take('run')).toBe(await treeOf({ run: { content: 'merged\n', mode: 0o755 } }));
  expect(await take('gone')).toBe(tree);
});

test('[PD7] of any other conflict the whole is taken, a folder with all that is in it', async () => {
  const { store, treeOf } = await storeWorld();
  const tree = await treeOf({ d: 'file\n', e: 'e\n' });
  const from = await treeOf({ 'd/x': 'x\n', 'd/y': 'y\n', e: 'other\n' });
  const side = { ...modeOnly, mode: 0o755 };
  expect(await takeSide(store, tree, [{ path: 'd', kind: 'folder-file', side, from }])).toBe(
    await treeOf({ 'd/x': 'x\n', 'd/y': 'y\n', e: 'e\n' }),
  );
  expect(await takeSide(store, tree, [{ path: 'd', kind: 'deleted-by-us', side: null, from }])).toBe(
    await treeOf({ e: 'e\n' }),
  );
});
