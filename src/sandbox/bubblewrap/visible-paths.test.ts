import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Box } from '../port.ts';
import { isBelow, visiblePaths as visible } from './visible-paths.ts';

const visiblePaths = (asked: Box) => visible(asked, { folder: '/nowhere/etc', mounted: [] });

const box = (parts: Partial<Box>): Box => ({ cwd: '/', env: {}, folders: [], hidden: [], network: false, ...parts });
let place = '';

beforeEach(() => {
  place = realpathSync(mkdtempSync('/tmp/visible-'));
  mkdirSync(join(place, 'shop/state'), { recursive: true });
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
});

const own = (mounts: ReturnType<typeof visiblePaths>) =>
  mounts.filter(({ path }) => path.startsWith(place)).map(({ kind, path }) => `${kind} ${path.slice(place.length)}`);

test('[PD1] only the system, temporary folders and lent folders are shown', () => {
  const all = visiblePaths(box({ folders: [{ path: join(place, 'shop'), access: 'write' }] }));
  const mounts = all.filter(({ kind }) => kind !== 'empty-folder');
  const paths = mounts.map(({ path }) => path);
  expect(mounts).toContainEqual({ kind: 'scratch', path: '/tmp', source: '' });
  expect(mounts).toContainEqual({ kind: 'read', path: '/etc', source: '/nowhere/etc' });
  expect(paths.indexOf('/tmp')).toBeLessThan(paths.indexOf(join(place, 'shop')));
  const declared =
    /^\/(?:usr|bin|sbin|lib\w*|etc|tmp|var\/(?:tmp|lib\/gems|lib\/texmf|cache\/fontconfig)|sys\/devices\/system\/cpu)$/;
  expect(paths.filter((path) => !declared.test(path))).toEqual([join(place, 'shop')]);
});

test('[PD1] folders lent for reading are mounted once, and a folder of the system not again', () => {
  const folders = ['/usr/bin', join(place, 'shop'), join(place, 'shop/state')].map((path) => ({
    path,
    access: 'read' as const,
  }));
  const paths = visiblePaths(box({ folders })).map(({ path }) => path);
  expect(paths).toContain(join(place, 'shop'));
  expect(paths).not.toContain('/usr/bin');
  expect(paths).not.toContain(join(place, 'shop/state'));
});

test('[PD1] of two paths the deeper one decides, in whatever order they are named', () => {
  const folders = [
    { path: join(place, 'shop/state'), access: 'read' as const },
    { path: join(place, 'shop'), access: 'write' as const },
  ];
  expect(own(visiblePaths(box({ folders })))).toEqual(['write /shop', 'read /shop/state']);
  const hidden = [join(place, 'shop/state')];
  expect(own(visiblePaths(box({ folders: folders.slice(1), hidden })))).toEqual([
    'write /shop',
    'empty-folder /shop/state',
  ]);
});

test('[PD1] hidden paths are not hidden again, and missing ones need not be', () => {
  expect(own(visiblePaths(box({ hidden: [place, join(place, 'shop'), join(place, 'nowhere'), 'relative'] })))).toEqual(
    [],
  );
});

test('[PD1] a folder lent by a link has both names, where the link itself would be hidden', () => {
  symlinkSync(join(place, 'shop'), join(place, 'link'));
  const folders = [{ path: join(place, 'link'), access: 'write' as const }];
  expect(own(visiblePaths(box({ folders })))).toEqual(['write /shop', 'write /link']);
});

test('[F64] a link inside a writable folder does not decide what is lent', () => {
  symlinkSync('/etc', join(place, 'shop/.git'));
  const folders = ['shop', 'shop/.git'].map((name) => ({ path: join(place, name), access: 'write' as const }));
  expect(() => visiblePaths(box({ folders }))).toThrow(/there is a link on its way/);
});

test('[PD1] a missing folder to write is a fault, one to read is left out, and / is never lent', () => {
  const missing = join(place, 'nowhere');
  expect(() => visiblePaths(box({ folders: [{ path: missing, access: 'write' }] }))).toThrow(/there is none/);
  expect(own(visiblePaths(box({ folders: [{ path: missing, access: 'read' }] })))).toEqual([]);
  expect(() => visiblePaths(box({ folders: [{ path: '/', access: 'read' }] }))).toThrow(/cannot be lent/);
});

test('[F64] a hidden folder is not lent to be read, also by a link, but can be lent to work in', () => {
  const work = realpathSync('/usr/share');
  symlinkSync(work, join(place, 'link'));
  for (const path of [work, join(place, 'link')]) {
    const seen = visiblePaths(box({ folders: [{ path, access: 'read' }], hidden: [work] }));
    expect(seen.filter((mount) => [mount.path, mount.source].includes(work))).toEqual([
      { kind: 'empty-folder', path: work, source: '' },
    ]);
  }
  const seen = visiblePaths(box({ folders: [{ path: work, access: 'write' }], hidden: [work] }));
  expect(seen.findLast(({ path }) => path === work)?.kind).toBe('write');
});

test('[F64] a hidden file is replaced by an empty one', () => {
  writeFileSync(join(place, 'shop/token'), 'secret');
  const folders = [{ path: join(place, 'shop'), access: 'read' as const }];
  expect(own(visiblePaths(box({ folders, hidden: [join(place, 'shop/token')] })))).toContain('empty-file /shop/token');
});

test('a path is below a folder by its parts, not by its letters', () => {
  expect([isBelow('/a/b', '/a'), isBelow('/ab', '/a'), isBelow('/a', '/a'), isBelow('/a/..b', '/a')]).toEqual([
    true,
    false,
    false,
    true,
  ]);
});
