import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readFileTool } from './file-tools.ts';
import { call, testFolder } from './testing/test-folder.ts';

test('[SM7] read_file gives a text file exactly', async () => {
  const folder = testFolder({ 'src/a.txt': '\ufeffone\r\ntwo ä\n' });
  expect(await call(readFileTool, { path: 'src/a.txt' }, { folder })).toEqual({
    content: '\ufeffone\r\ntwo ä\n',
    isError: false,
  });
});

test('[SM7] read_file gives the lines that were asked for and says where they stand', async () => {
  const folder = testFolder({ 'a.txt': 'one\ntwo\nthree\nfour' });
  expect((await call(readFileTool, { path: 'a.txt', offset: 2, limit: 2 }, { folder })).content).toBe(
    'two\nthree\n[lines 2 to 3 of 4]',
  );
  expect((await call(readFileTool, { path: 'a.txt', offset: 3 }, { folder })).content).toBe('three\nfour');
  expect(await call(readFileTool, { path: 'a.txt', offset: 9 }, { folder })).toEqual({
    content: 'The file has 4 lines; there is no line 9.',
    isError: true,
  });
});

test('[L3] read_file says that a file is empty, binary or missing', async () => {
  const folder = testFolder({ empty: '', picture: Buffer.from([0x89, 0x50, 0, 1]) });
  expect((await call(readFileTool, { path: 'empty' }, { folder })).content).toBe('The file is empty.');
  expect(await call(readFileTool, { path: 'picture' }, { folder })).toEqual({
    content: 'picture is a binary file of 4 bytes.',
    isError: true,
  });
  expect(await call(readFileTool, { path: 'src/none.ts' }, { folder })).toEqual({
    content: 'src does not exist.',
    isError: true,
  });
});

test('[SM7] read_file reads nothing outside the folder', async () => {
  const folder = testFolder();
  symlinkSync('/etc/passwd', join(folder, 'link'));
  for (const path of ['../secret', '/etc/passwd', 'link', '~/.ssh/id_rsa', '.']) {
    const result = await call(readFileTool, { path }, { folder });
    expect({ path, isError: result.isError }).toEqual({ path, isError: true });
    expect(result.content).not.toContain('root:');
  }
});
