import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder, writeFiles } from '../testing/test-project.ts';
import { entryIn, QuickPath } from './held-path.ts';

const NO_NAME = 'not the name of an entry';

function opened(folder: string): QuickPath {
  const quick = QuickPath.open(folder);
  if (quick === null) throw new Error('this system does not show what a process holds open');
  return quick;
}

test.skipIf(!existsSync('/proc/self/fd'))(
  '[P5] folders are entered by descriptor, and no link is followed on the way',
  () => {
    const folder = temporaryFolder();
    writeFiles(folder, { 'in/deep/a': 'a', 'in/b': 'b', 'outside/deep/a': 'not this' });
    symlinkSync('outside', join(folder, 'link'));
    const quick = opened(folder);
    try {
      expect(readFileSync(entryIn(quick.at('in/deep'), 'a'), 'utf8')).toBe('a');
      expect(readFileSync(entryIn(quick.at('in'), 'b'), 'utf8')).toBe('b');
      expect(() => quick.at('link/deep')).toThrow(/ELOOP|ENOTDIR/);
      const held = quick.at('in/deep');
      renameSync(join(folder, 'in'), join(folder, 'moved'));
      symlinkSync('outside', join(folder, 'in'));
      expect(readFileSync(entryIn(held, 'a'), 'utf8')).toBe('a');
    } finally {
      quick.close();
    }
  },
);

test.skipIf(!existsSync('/proc/self/fd'))('[P5] nothing but a name leads on from a folder', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'in'));
  const quick = opened(folder);
  try {
    for (const path of ['..', 'in/..', '.', 'in//x', '/etc']) expect(() => quick.at(path)).toThrow(NO_NAME);
    for (const name of ['', '.', '..', 'a/b']) expect(() => entryIn(quick.at(''), name)).toThrow(NO_NAME);
  } finally {
    quick.close();
  }
});
