import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { globTool } from './glob.ts';
import { call, testFolder } from './testing/test-folder.ts';

test('[SM7] glob finds files at any depth and passes over what is not the project', async () => {
  const folder = testFolder({
    'a.ts': '',
    'src/b.ts': '',
    'node_modules/c.ts': '',
    '.git/d.ts': '',
    '.troupe/e.ts': '',
    'src/x.js': '',
  });
  symlinkSync(folder, join(folder, 'loop'));
  expect((await call(globTool, { pattern: '**/*.ts' }, { folder })).content).toBe('a.ts\nsrc/b.ts');
  expect((await call(globTool, { pattern: 'src/*' }, { folder })).content).toBe('src/b.ts\nsrc/x.js');
  expect((await call(globTool, { pattern: '*.py' }, { folder })).content).toBe('No file matches.');
});

test('[SM7] glob cannot leave the folder', async () => {
  const folder = testFolder({ 'a.ts': '' });
  expect((await call(globTool, { pattern: '../**' }, { folder })).content).toBe('No file matches.');
  expect((await call(globTool, { pattern: '/etc/*' }, { folder })).content).toBe('No file matches.');
});

test('[L7] glob ends when the signal fires', async () => {
  const folder = testFolder({ 'a.ts': '' });
  const result = await call(globTool, { pattern: '**' }, { folder, signal: AbortSignal.abort() });
  expect(result).toEqual({ content: 'Cancelled before it was finished.', isError: true });
});
