import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { makeFolder } from './make-folder.ts';

const root = mkdtempSync(join(tmpdir(), 'troupe-folder-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('[L3] makes what is missing, and is content with what is there', () => {
  const deep = join(root, 'a', 'b', 'c');
  makeFolder(deep, 0o700);
  makeFolder(deep, 0o700);
  expect(statSync(deep).mode & 0o777).toBe(0o700);
});

test('[L3] a file in the way, and a file system that makes no folders, are errors and no endless loop', () => {
  writeFileSync(join(root, 'file'), '');
  expect(() => makeFolder(join(root, 'file'))).toThrow(/EEXIST/);
  expect(() => makeFolder(join(root, 'file', 'below'))).toThrow(/ENOTDIR/);
  expect(() => makeFolder('/proc/troupe/below')).toThrow(/ENOENT|EACCES|EPERM|EROFS/);
});
