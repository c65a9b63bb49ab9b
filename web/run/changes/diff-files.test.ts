import { expect, test } from 'vitest';
import type { ChangesPage, FileChange } from '../../../src/protocol/web/changes-page.ts';
import { diffFiles, isShown, lineText, type DiffFile } from './diff-files.ts';

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
  expect([1, 2, 3, 4, 21, 9].map((line) => lineText(file, line))).toEqual(['one', '2', '++ plus', 'three', 'y', null]);
});

test('[U2] what has no lines says why', () => {
  expect(only({}, PATCH).note).toBeNull();
  expect(only({ isBinary: true }).note).toContain('not text');
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
  expect(file === undefined ? null : lineText(file, 21)).toBe('\u{FFFD}');
});
