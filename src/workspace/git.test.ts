import { readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runGit } from './git.ts';
import { storeWorld } from './changes/testing/store-world.ts';

const OPEN_FILES = '/proc/self/fd';

function isOpen(file: string): boolean {
  return readdirSync(OPEN_FILES).some((name) => {
    try {
      return readlinkSync(join(OPEN_FILES, name)) === file;
    } catch {
      return false;
    }
  });
}

test.runIf(existsSync(OPEN_FILES))('a file that git did not read to its end is closed', async () => {
  const { base } = await storeWorld();
  const file = join(base, 'input');
  writeFileSync(file, Buffer.alloc(4 * 1024 * 1024));
  const answer = await runGit(['unpack-objects', '--no-such-option'], { cwd: base, inputFile: file });
  expect(answer.exitCode).not.toBe(0);
  expect(isOpen(file)).toBe(false);
});

test('a file that cannot be read ends git', async () => {
  const { base } = await storeWorld();
  const answer = await runGit(['hash-object', '--stdin'], { cwd: base, inputFile: join(base, 'none') });
  expect(answer.exitCode).toBeNull();
});
