import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder, writeFiles } from '../testing/test-project.ts';
import { findListing } from './list-folder.ts';
import { isGitName } from './git-object.ts';
import { quickListing } from './folder-look.ts';
import { testStore } from './testing/test-store.ts';
import { walkListing } from './walk-listing.ts';

function sampleFolder(): string {
  const folder = temporaryFolder();
  for (let at = 0; at < 2100; at += 1) writeFiles(folder, { [`src/m${at % 8}/p${at % 3}/f${at}`]: 'x' });
  writeFiles(folder, { 'top.txt': 't', 'src/s.txt': 's', 'odd\t./name\n': 'o', 'Übung/ö': 'u', '-x/[a]*?\\/f': 'f' });
  symlinkSync('/etc/passwd', join(folder, 'src/link'));
  mkdirSync(join(folder, 'empty'));
  chmodSync(join(folder, 'empty'), 0o1700);
  chmodSync(join(folder, 'top.txt'), 0o4755);
  execFileSync('/usr/bin/env', ['mkfifo', join(folder, 'src/pipe')]);
  return folder;
}

const leaveOut = (): boolean => false;
/** Only the letter for what is no file, folder or link differs from system to system. */
const sorted = (lines: readonly string[] | null) =>
  [...(lines ?? [])].map((line) => line.replace(/^[pscbD] /, 's ')).sort();

test('[L6] our own walks and a search list the same', async (context) => {
  const folder = sampleFolder();
  const walked = await walkListing(folder, { leaveOut });
  const quick = await quickListing(folder, { leaveOut });
  if (quick === null) context.skip('this system does not show what a process holds open');
  expect(sorted(quick)).toEqual(sorted(walked));
  const found = await findListing(folder, []);
  if (found === null) context.skip('there is no GNU find here');
  expect(sorted(found)).toEqual(sorted(walked));
});

test('[L6] where a quick walk is refused something, another way tells of it', async (context) => {
  const { folder, store, options } = await testStore();
  writeFiles(folder, { 'a.txt': 'a', 'closed/b.txt': 'b' });
  const before = await store.record(folder, options);
  chmodSync(join(folder, 'closed'), 0);
  onTestFinished(() => chmodSync(join(folder, 'closed'), 0o755));
  if (process.getuid?.() === 0) context.skip('nothing is closed to root');
  expect(await quickListing(folder, { leaveOut })).toBeNull();
  const after = await store.record(folder, options);
  expect(after.reports).toEqual([{ path: 'closed', why: 'unreadable' }]);
  expect(after.tree).not.toBe(before.tree);
});

test('[L6] a folder that is left out is not looked into again', async () => {
  const { folder, store, options } = await testStore();
  const away = (path: string): boolean => path === 'pack[s]/node_modules';
  writeFiles(folder, { 'pack[s]/node_modules/a/b.js': 'b', 'pack[s]/c.js': 'c', 'packs/node_modules/d.js': 'd' });
  for (let round = 0; round < 3; round += 1) {
    const { tree } = await store.record(folder, { ...options, leaveOut: away });
    expect([...(await store.entries(tree)).keys()].sort()).toEqual(['pack[s]/c.js', 'packs/node_modules/d.js']);
  }
  const { tree } = await store.record(folder, options);
  expect((await store.entries(tree)).has('pack[s]/node_modules/a/b.js')).toBe(true);
});

test('[C40] a folder hundreds of levels deep is reported and not gone into', async () => {
  const { folder, store, options } = await testStore();
  const deep = Array.from({ length: 220 }, () => 'd').join('/');
  mkdirSync(join(folder, deep), { recursive: true });
  writeFileSync(join(folder, 'a.txt'), 'a');
  const before = await store.record(folder, options);
  expect(before.reports).toEqual([{ path: expect.stringMatching(/^d(\/d){200}$/), why: 'too-deep' }]);
  rmSync(join(folder, 'd'), { recursive: true });
  const { tree } = await store.record(folder, options);
  mkdirSync(join(folder, deep), { recursive: true });
  expect(await store.restore(tree, folder, options)).toMatchObject({ kept: [] });
  expect((await store.record(folder, options)).tree).toBe(tree);
});

test.each([
  '.git',
  '.GIT',
  '.git.',
  '.git ',
  '.Git. .',
  '.git::$INDEX_ALLOCATION',
  'git~1',
  'GIT~1',
  '.g\u200cit',
  '\u200e.git',
])('[D44] %j is a name of git', (name) => {
  expect(isGitName(Buffer.from(name).toString('latin1'))).toBe(true);
});

test.each(['.gitignore', '.github', 'git', 'git~2', 'x.git', '.git-x', '.gitx', '...git', 'ä.git'])(
  '[D44] %j is an ordinary name',
  (name) => {
    expect(isGitName(Buffer.from(name).toString('latin1'))).toBe(false);
  },
);
