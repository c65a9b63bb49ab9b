import { expect, test } from 'vitest';
import type { ChangesPage, FileChange } from '../../../src/protocol/web/changes-page.ts';
import { diffFiles, isPicture, isShown, type DiffFile } from './diff-files.ts';
import { lineText, placeNow } from './whole-files.ts';

const PATCH = `diff --git a/a.ts b/a.ts
--- a/a.ts
+++ b/a.ts
@@ -1,3 +1,4 @@
 one
-two
+2
+++ plus
 three
@@ -20 +21 @@ here
-x
+y
`;

const page = (files: readonly FileChange[], patch: string): ChangesPage => ({
  kind: 'diff',
  run: 'r1',
  workspace: 'main',
  folder: '/f',
  before: 'b',
  after: 'a',
  files,
  added: 0,
  removed: 0,
  hasMore: false,
  patch,
});

const only = (change: Partial<FileChange>, patch = ''): DiffFile => {
  const [file] = diffFiles(page([{ path: 'a.ts', change: 'modified', kind: 'file', ...change }], patch));
  if (file === undefined) throw new Error('There is no file.');
  return file;
};

test('[U2] a file knows which of its lines are shown, and what they say', () => {
  const file = only({}, PATCH);
  expect(file.shown).toEqual([
    { first: 1, last: 4 },
    { first: 21, last: 21 },
  ]);
  expect([1, 4, 5, 21].map((line) => isShown(file, line))).toEqual([true, true, false, true]);
  const now = [1, 2, 3, 4, 21, 9].map((line) => lineText(file, { line, side: 'new' }));
  expect(now).toEqual(['one', '2', '++ plus', 'three', 'y', null]);
  const before = [1, 2, 3, 4, 20].map((line) => lineText(file, { line, side: 'old' }));
  expect(before).toEqual(['one', 'two', 'three', null, 'x']);
});

test('[U2] a line of the old version that is still there is one of the new version; a removed one is none', () => {
  const file = only({}, PATCH);
  const now = (line: number) => placeNow(file, { line, side: 'old' });
  expect([1, 3, 10, 19, 21, 30].map((line) => now(line))).toEqual(
    [1, 4, 11, 20, 22, 31].map((line) => ({ line, side: 'new' })),
  );
  expect([2, 20].map((line) => now(line))).toEqual([2, 20].map((line) => ({ line, side: 'old' })));
  const grown = only({}, 'diff --git a/a.ts b/a.ts\n--- a/a.ts\n+++ b/a.ts\n@@ -3,0 +4,2 @@\n+x\n+y\n');
  expect([3, 4].map((line) => placeNow(grown, { line, side: 'old' }).line)).toEqual([3, 6]);
});

test('[U2] a binary file shows its size, and pictures are recognised', () => {
  const note = (bytes: FileChange['bytes'], path = 'a.zip') =>
    only({ isBinary: true, path, ...(bytes === undefined ? {} : { bytes }) }).note;
  expect(note([10_000, 12_000])).toBe('Not text (.zip): 12 KB, 10 KB before.');
  expect(note([null, 900])).toBe('Not text (.zip): 900 bytes.');
  expect(note([900, null], 'data')).toBe('Not text: it had 900 bytes.');
  expect(note([1, 40_000_000])).toBe('Too large to show lines (.zip): 40 MB, 1 byte before.');
  expect(note(undefined)).toBe('Not text (.zip).');
  const isShownAs = (path: string, isBinary = true) =>
    isPicture({ path, change: 'added', kind: 'file', ...(isBinary ? { isBinary } : {}) });
  expect(['a.png', 'b.JPG', 'c.webp', 'd.gif'].every((path) => isShownAs(path))).toBe(true);
  expect(['a.svg', 'a.png.zip', 'png'].some((path) => isShownAs(path))).toBe(false);
  expect(isShownAs('a.png', false)).toBe(false);
});

test('[U2] what has no lines says why', () => {
  expect(only({}, PATCH).note).toBeNull();
  expect(only({ isBinary: true }).note).toContain('Not text');
  expect(only({ mode: ['644', '755'], change: 'mode' }).note).toBe('Its mode is 755; it was 644.');
  expect(only({ kind: 'folder', change: 'added' }).note).toBe('An empty folder.');
  expect(only({ change: 'added', added: 0 }).note).toBe('The file is empty.');
});

test('[U2] the same change has the same key, another one another', () => {
  expect(only({}, PATCH).key).toBe(only({}, PATCH).key);
  expect(only({}, PATCH).key).not.toBe(only({}, PATCH.replace('+y', '+z')).key);
});

test('[U2] a large change is folded until somebody wants it', () => {
  expect(only({ added: 5000, removed: 0 }, PATCH).isLarge).toBe(true);
  expect(only({ added: 5 }, PATCH).isLarge).toBe(false);
});

test('[U2] a patch whose bytes are no text is read as far as it goes', () => {
  const { patch, ...rest } = page([{ path: 'a.ts', change: 'modified', kind: 'file' }], PATCH.replace('+y', '+\u{FF}'));
  const bytes = Buffer.from(patch ?? '', 'latin1').toString('base64');
  const [file] = diffFiles({ ...rest, patchBase64: bytes });
  expect(file === undefined ? null : lineText(file, { line: 21, side: 'new' })).toBe('\u{FFFD}');
});
