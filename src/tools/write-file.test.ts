import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, testFolder } from './testing/test-folder.ts';
import { writeFileTool } from './file-tools.ts';

test('[SM7] write_file creates folders, writes exactly and says what it did', async () => {
  const folder = testFolder();
  const created = await call(writeFileTool, { path: 'src/deep/a.txt', content: 'ä\r\n' }, { folder });
  expect(created).toEqual({
    content: 'Created src/deep/a.txt (4 bytes).',
    isError: false,
    changed: ['src/deep/a.txt'],
  });
  expect(readFileSync(join(folder, 'src/deep/a.txt'), 'utf8')).toBe('ä\r\n');
  const replaced = await call(writeFileTool, { path: './src/deep/./a.txt', content: '' }, { folder });
  expect(replaced.changed).toEqual(['src/deep/a.txt']);
  expect(replaced.content).toBe('Replaced ./src/deep/./a.txt (0 bytes).');
});

test.each([
  '../out.txt',
  '/tmp/out.txt',
  '~/x',
  'a/../../x',
  '.git/hooks/pre-commit',
  'sub/.git/config',
  '.troupe/tools/x.ts',
  '.',
  'link/x',
  'con\0',
])('[SM7] write_file refuses %j', async (path) => {
  const folder = testFolder();
  symlinkSync('..', join(folder, 'link'));
  expect((await call(writeFileTool, { path, content: 'x' }, { folder })).isError).toBe(true);
  expect(existsSync(join(folder, '..', 'out.txt'))).toBe(false);
  expect(existsSync(join(folder, '..', 'x'))).toBe(false);
  expect(existsSync(join(folder, 'sub'))).toBe(false);
});

test('[SM7] write_file refuses arguments that do not fit and content that is too large', async () => {
  const folder = testFolder();
  expect(await call(writeFileTool, { path: 'a' }, { folder })).toEqual({
    content: 'The arguments do not fit: content: is missing (string)',
    isError: true,
  });
  const large = await call(writeFileTool, { path: 'a', content: 'x'.repeat(11 * 1024 * 1024) }, { folder });
  expect(large.content).toContain('at most');
  expect(existsSync(join(folder, 'a'))).toBe(false);
});
