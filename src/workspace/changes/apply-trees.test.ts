import {
  chmodSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { TreeId } from '../../core/model/ids.ts';
import { HeldPath } from '../store/held-path.ts';
import { type Applied, applyTrees, rollbackProject } from './apply-trees.ts';
import { checkStep } from './check-step.ts';
import { picture, putFiles, storeWorld } from './testing/store-world.ts';
import type { Files } from './testing/store-world.ts';

const BEFORE: Files = {
  'kept.txt': 'kept',
  'changed.txt': 'one',
  'gone.txt': 'gone',
  'mode.sh': { content: '#!', mode: 0o640 },
  link: { link: 'one' },
  'file-to-folder': 'x',
  'folder-to-file/a/b': 'x',
  'file-to-link': 'x',
  'link-to-file': { link: 'x' },
  'link-to-folder': { link: '/' },
  'empty/': '',
  'full/deep/x': 'x',
  'closed/': { mode: 0o555 },
  'odd\nname\u001b': 'x',
};
const AFTER: Files = {
  'kept.txt': 'kept',
  'changed.txt': { content: 'two', mode: 0o600 },
  'mode.sh': { content: '#!', mode: 0o751 },
  link: { link: '../somewhere/else' },
  'file-to-folder/inside': 'y',
  'folder-to-file': 'y',
  'file-to-link': { link: 'y' },
  'link-to-file': 'y',
  'link-to-folder/etc/x': 'y',
  'new/deep/er/file': 'new',
  'new-empty/': { mode: 0o711 },
  'closed/now-inside': 'x',
  'sealed/inside/x': 'x',
  'sealed/': { mode: 0o555 },
  'odd\nname\u001b': 'y',
};

async function scene(before: Files = BEFORE, after: Files = AFTER) {
  const world = await storeWorld();
  putFiles(world.project, before);
  const from = await world.record(world.project);
  const to = await world.treeOf(after);
  const apply = (options: { from?: TreeId; to?: TreeId } = {}) =>
    applyTrees(world.store, { from, to, project: world.project, ...options });
  const wanted = async (tree: TreeId) => expect(await world.record(world.project)).toBe(tree);
  return { ...world, from, to, apply, wanted };
}

const conflicts = (applied: Applied) =>
  applied.kind === 'applied' ? [] : applied.conflicts.map(({ path, kind }) => `${kind} ${path}`);

test('[PH7] what differs is changed, byte, mode, link and empty folder, there and back again', async () => {
  const { project, from, to, apply, wanted } = await scene();
  const before = picture(project);
  expect((await apply()).kind).toBe('applied');
  await wanted(to);
  expect((await apply({ from: to, to: from })).kind).toBe('applied');
  await wanted(from);
  expect(picture(project)).toEqual(before);
});

test('[PH7] the same again finds everything done', async () => {
  const { apply } = await scene();
  await apply();
  expect(await apply()).toEqual({ kind: 'applied', written: [], removed: [], kept: [] });
});

test('[PH7] nothing else is touched: files of the user beside keep even their times', async () => {
  const { project, apply } = await scene();
  putFiles(project, { 'mine.txt': 'mine', 'full/mine.txt': 'mine', 'new/mine.txt': 'mine', '.git/config': 'mine' });
  const times = () =>
    ['kept.txt', 'mine.txt', 'full/mine.txt', 'new/mine.txt', '.git/config'].map(
      (path) => statSync(join(project, path), { bigint: true }).ctimeNs,
    );
  const before = times();
  const applied = await apply();
  expect(applied).toMatchObject({ kind: 'applied', kept: ['full'] });
  expect(times()).toEqual(before);
});

test.each([
  ['a file the user changed', 'changed.txt', (path: string) => writeFileSync(path, 'mine')],
  ['a mode the user changed', 'changed.txt', (path: string) => chmodSync(path, 0o600)],
  ['a file the user deleted', 'changed.txt', (path: string) => rmSync(path)],
  ['a file the user made', 'new-file', (path: string) => writeFileSync(path, 'mine')],
  ['a link the user put there', 'link', (path: string) => relink(path, 'mine')],
  ['a link in place of the file', 'changed.txt', (path: string) => relink(path, 'kept.txt')],
  ['a folder in place of the file', 'gone.txt', (path: string) => refolder(path)],
])('[PH7] %s stays, and nothing at all is written', async (_, name, change) => {
  const { project, apply } = await scene(BEFORE, { ...AFTER, 'new-file': 'y' });
  change(join(project, name));
  const before = picture(project);
  const applied = await apply();
  expect(conflicts(applied)).toEqual([`changed ${name}`]);
  expect(picture(project)).toEqual(before);
});

function relink(path: string, target: string): void {
  rmSync(path);
  symlinkSync(target, path);
}

function refolder(path: string): void {
  rmSync(path);
  mkdirSync(path);
}

test('[PH7] a folder that must become a file stays while the user has something in it', async () => {
  const { project, apply } = await scene();
  putFiles(project, { 'folder-to-file/a/mine': 'mine' });
  const before = picture(project);
  expect(conflicts(await apply())).toEqual(['not-empty folder-to-file']);
  expect(picture(project)).toEqual(before);
});

test('[PH7] a folder of the user’s that the trees do not know is filled and keeps its mode, also when all is undone', async () => {
  const { store, project, from, to } = await scene({ a: '1' }, { a: '1', 'secrets/readme.md': 'x', 'open/x': 'x' });
  for (const [name, mode] of [
    ['secrets', 0o700],
    ['open', 0o777],
  ] as const) {
    mkdirSync(join(project, name));
    writeFileSync(join(project, name, 'a.key'), 'ignored');
    chmodSync(join(project, name), mode);
  }
  const modes = () => ['secrets', 'open'].map((name) => statSync(join(project, name)).mode & 0o777);
  expect(await applyTrees(store, { from, to, project })).toMatchObject({
    kind: 'applied',
    written: ['open/x', 'secrets/readme.md'],
  });
  expect(modes()).toEqual([0o700, 0o777]);
  expect(await rollbackProject(store, { before: from, after: to, project })).toMatchObject({
    kept: ['secrets', 'open'],
  });
  expect(modes()).toEqual([0o700, 0o777]);
});

test('[C31] a link where a folder should be is never gone through', async () => {
  const { project, base, apply } = await scene({ 'd/x': '1' }, { 'd/x': '2', 'd/y': 'new' });
  renameSync(join(project, 'd'), join(base, 'outside'));
  symlinkSync(join(base, 'outside'), join(project, 'd'));
  expect(conflicts(await apply())).toEqual(['in-the-way d/x', 'in-the-way d/y']);
  expect(picture(join(base, 'outside'))).toMatchObject({ x: expect.any(String) });
  expect(readFileSync(join(base, 'outside/x'), 'utf8')).toBe('1');
});

test('a file with a second name elsewhere is replaced, and the other name keeps what it had', async () => {
  const { project, base, apply, wanted, to } = await scene();
  linkSync(join(project, 'changed.txt'), join(base, 'twin'));
  linkSync(join(project, 'mode.sh'), join(base, 'twin.sh'));
  expect((await apply()).kind).toBe('applied');
  await wanted(to);
  expect(readFileSync(join(base, 'twin'), 'utf8')).toBe('one');
  expect(statSync(join(base, 'twin.sh')).mode & 0o777).toBe(0o640);
});

test.each(['sub/.git/config', '.GIT/config', '.g\u200cit/config', 'git~1/config', '.git./config'])(
  '[D41] a name that belongs to git is refused, were it in a tree: %s',
  async (path) => {
    const { project, store } = await scene();
    const held = await HeldPath.open(project);
    onTestFinished(() => held.close());
    const to = { kind: 'file', mode: 0o644, blob: 'a'.repeat(40) } as const;
    const step = { path: Buffer.from(path).toString('latin1'), from: null, to };
    const checked = await checkStep(step, { held, store, steps: new Map([[step.path, step]]) });
    expect(checked).toMatchObject({ verdict: 'conflict', why: 'reserved' });
  },
);

test('[PH7] rolled back, what the user changed since is kept and reported, and all the rest goes back', async () => {
  const { store, project, from, to, apply } = await scene();
  const before = picture(project);
  await apply();
  writeFileSync(join(project, 'changed.txt'), 'mine');
  rmSync(join(project, 'link-to-file'));
  putFiles(project, { 'new/deep/mine': 'mine' });
  const rolled = await rollbackProject(store, { before: from, after: to, project });
  expect(conflicts(rolled)).toEqual(['changed changed.txt', 'changed link-to-file']);
  expect(rolled.kept).toEqual(['new/deep', 'new']);
  const { 'link-to-file': _, ...rest } = before;
  const now = picture(project);
  expect(now).toMatchObject({ ...rest, 'changed.txt': now['changed.txt'] });
  expect(readFileSync(join(project, 'changed.txt'), 'utf8')).toBe('mine');
  expect(readFileSync(join(project, 'new/deep/mine'), 'utf8')).toBe('mine');
});

test('[PH7] a rollback is undone by another', async () => {
  const { store, project, from, to, apply, wanted } = await scene();
  await apply();
  expect((await rollbackProject(store, { before: from, after: to, project })).kind).toBe('applied');
  await wanted(from);
  expect((await rollbackProject(store, { before: to, after: from, project })).kind).toBe('applied');
  await wanted(to);
});

test('two at once do one after the other', async () => {
  const { apply, wanted, to } = await scene();
  const [first, second] = await Promise.all([apply(), apply()]);
  expect([first.kind, second.kind]).toEqual(['applied', 'applied']);
  await wanted(to);
});

test('[PH7] the user changes a file between the look and the write: it stays, and what was written is taken back', async () => {
  const { store, project, from, to } = await scene();
  const before = picture(project);
  let reads = 0;
  const interrupted = new Proxy(store, {
    get: (target, key) => {
      if (key !== 'read') return bound(target, key);
      return (blob: string) => {
        reads += 1;
        // The last file in the order of the names, while the first is being written.
        if (reads === 1) writeFileSync(join(project, 'mode.sh'), 'mine');
        return target.read(blob);
      };
    },
  });
  const applied = await applyTrees(interrupted, { from, to, project });
  expect(applied).toMatchObject({ kind: 'conflict', written: [], conflicts: [{ path: 'mode.sh', kind: 'changed' }] });
  expect(readFileSync(join(project, 'mode.sh'), 'utf8')).toBe('mine');
  expect({ ...picture(project), 'mode.sh': '' }).toEqual({ ...before, 'mode.sh': '' });
});

function bound(target: object, key: string | symbol): unknown {
  const value: unknown = Reflect.get(target, key, target);
  return typeof value === 'function' ? value.bind(target) : value;
}
