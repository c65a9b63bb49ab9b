import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isFault } from '../../core/model/fault.ts';
import { refuseUnwritable, refuseUnwritableFolder } from './writable-path.ts';

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'troupe-writable-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  writeFileSync(join(made, 'file'), '');
  mkdirSync(join(made, 'folder'));
  symlinkSync('nowhere', join(made, 'link'));
  return made;
}

function codeOf(work: () => void): string {
  try {
    work();
    return 'ok';
  } catch (error) {
    return isFault(error) ? error.code : String(error);
  }
}

test('[L3] a path that cannot be written is a fault, whatever exists there; one that can be created is none', () => {
  const base = folder();
  const asFile = (path: string) => codeOf(() => refuseUnwritable(join(base, path)));
  const asFolder = (path: string) => codeOf(() => refuseUnwritableFolder(join(base, path)));
  expect(['new', 'folder/new'].map(asFile)).toEqual(['ok', 'ok']);
  expect(['file', 'folder', 'file/new', 'link/new'].map(asFile)).toEqual([
    'FILE_EXISTS',
    'NOT_WRITABLE',
    'NOT_WRITABLE',
    'NOT_WRITABLE',
  ]);
  expect(['new', 'folder', 'a/b'].map(asFolder)).toEqual(['ok', 'ok', 'ok']);
  expect(['file', 'file/below', 'link'].map(asFolder)).toEqual(['NOT_WRITABLE', 'NOT_WRITABLE', 'NOT_WRITABLE']);
  expect(codeOf(() => refuseUnwritable(join(base, 'file'), { isOver: true }))).toBe('ok');
});

test('[L3] a patch makes no folders for a name that a person gave, and says how to make them', () => {
  const file = join(folder(), 'a/b/new.patch');
  expect(() => refuseUnwritable(file)).toThrow(/its folder does not exist/);
  expect(codeOf(() => refuseUnwritable(file, { isOver: true }))).toBe('ok');
});

test.skipIf(process.getuid?.() === 0)('[L3] a folder that is closed for writing is a fault (not as root)', () => {
  const base = folder();
  chmodSync(join(base, 'folder'), 0o555);
  expect(codeOf(() => refuseUnwritable(join(base, 'folder/new')))).toBe('NOT_WRITABLE');
});
