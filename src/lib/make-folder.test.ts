import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { makeFolder } from './make-folder.ts';

const root = mkdtempSync(join(tmpdir(), 'troupe-folder-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('[L3] creates missing folders, and accepts existing ones', () => {
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

test('[L3] concurrent calls for the same folders all succeed', async () => {
  const module = JSON.stringify(new URL('make-folder.ts', import.meta.url).href);
  const begin = join(root, 'begin');
  const source = `import { existsSync } from 'node:fs'; import { makeFolder } from ${module};
    console.log('ready');
    while (!existsSync(${JSON.stringify(begin)}));
    for (let n = 0; n < 400; n += 1) makeFolder(${JSON.stringify(join(root, 'many'))} + '/' + n + '/a/b/c');`;
  const makers = Array.from({ length: 4 }, () =>
    spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: ['ignore', 'pipe', 'pipe'] }),
  );
  const said = makers.map(({ stderr }) => text(stderr));
  await Promise.all(makers.map(({ stdout }) => once(stdout, 'data')));
  writeFileSync(begin, '');
  expect(await Promise.all(said)).toEqual(makers.map(() => ''));
});
