import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listFilesTool } from './file-tools.ts';
import { call, testFolder } from './testing/test-folder.ts';

test('[SM7] list_files shows folders, sizes and what is neither, in a fixed order', async () => {
  const folder = testFolder({ 'b.txt': 'four', 'src/x.ts': '', '.env.example': '' });
  symlinkSync('/etc', join(folder, 'link'));
  execFileSync('/usr/bin/env', ['mkfifo', join(folder, 'pipe')]);
  expect((await call(listFilesTool, {}, { folder })).content.split('\n')).toEqual([
    '.env.example (0)',
    'b.txt (4)',
    'link (symbolic link)',
    'pipe (special file)',
    'src/',
  ]);
  expect((await call(listFilesTool, { path: 'src/' }, { folder })).content).toBe('x.ts (0)');
});

test('[L3] list_files shows odd names escaped and says what it leaves out', async () => {
  const folder = testFolder({ '\u001b[2Jx\n': '' });
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff])]), '');
  expect((await call(listFilesTool, {}, { folder })).content).toBe(
    String.raw`"\u{1b}[2Jx\n" (0)` + '\n' + String.raw`"\xff" (0)`,
  );
  mkdirSync(join(folder, 'many'));
  for (let at = 0; at < 1001; at += 1) writeFileSync(join(folder, 'many', `${at}`), '');
  expect((await call(listFilesTool, { path: 'many' }, { folder })).content).toContain('[… 1 more left out …]');
});

test('[SM7] list_files refuses to leave the folder', async () => {
  const folder = testFolder();
  symlinkSync('/etc', join(folder, 'link'));
  expect((await call(listFilesTool, { path: 'link' }, { folder })).content).toContain('is a symbolic link');
  expect((await call(listFilesTool, { path: '..' }, { folder })).isError).toBe(true);
  expect((await call(listFilesTool, { path: 'none' }, { folder })).content).toBe('none does not exist.');
  expect((await call(listFilesTool, {}, { folder: testFolder() })).content).toBe('The folder is empty.');
});
