import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isFault } from '../core/fault.ts';
import { changedFiles } from './changed-files.ts';
import { prepareRunFolder } from './run-folder.ts';
import { git, testProject, writeFiles } from './test-project.ts';

test('[L4] added, modified and deleted are what really differs', async () => {
  const { project, home } = testProject({
    same: 's',
    touched: 't',
    edited: 'e',
    mode: 'm',
    gone: 'g',
    moved: 'v',
    'dir/x': 'x',
  });
  symlinkSync('same', join(project, 'link'));
  const folder = await prepareRunFolder({ home, run: 'r1', project });
  const none = { added: [], modified: [], deleted: [] };
  expect(await changedFiles({ home, run: 'r1' })).toEqual(none);
  writeFileSync(join(folder, 'touched'), 't');
  expect(await changedFiles({ home, run: 'r1' })).toEqual(none);
  writeFileSync(join(folder, 'edited'), 'E');
  chmodSync(join(folder, 'mode'), 0o755);
  rmSync(join(folder, 'gone'));
  renameSync(join(folder, 'moved'), join(folder, 'moved-away'));
  rmSync(join(folder, 'link'));
  symlinkSync('edited', join(folder, 'link'));
  rmSync(join(folder, 'dir'), { recursive: true });
  writeFileSync(join(folder, 'dir'), 'a file now');
  writeFiles(folder, { 'new/deep.txt': '', '.git/hooks/x': '', 'node_modules/y/z.js': '', '.troupe/tools/t.ts': '' });
  expect(await changedFiles({ home, run: 'r1' })).toEqual({
    added: ['dir', 'moved-away', 'new/deep.txt'],
    modified: ['edited', 'link', 'mode'],
    deleted: ['dir/x', 'gone', 'moved'],
  });
});

test('[L4] a change of the same length with the old times put back is still seen', async () => {
  const { project, home } = testProject({ a: 'one' });
  utimesSync(join(project, 'a'), 1_000_000, 1_000_000);
  const folder = await prepareRunFolder({ home, run: 'r1', project });
  utimesSync(join(folder, 'a'), 1_000_000, 1_000_000);
  expect((await changedFiles({ home, run: 'r1' })).modified).toEqual([]);
  writeFileSync(join(folder, 'a'), 'two');
  utimesSync(join(folder, 'a'), 1_000_000, 1_000_000);
  expect((await changedFiles({ home, run: 'r1' })).modified).toEqual(['a']);
});

test('[L4] in a git project what its rules ignore is no result', async () => {
  const { project, home } = testProject({ '.gitignore': 'dist/\n*.log\n', 'a.txt': '' });
  git(project, 'init', '-q');
  const folder = await prepareRunFolder({ home, run: 'r1', project });
  writeFiles(folder, {
    'dist/deep/out.js': '',
    'x.log': '',
    'b.txt': '',
    'sub/.gitignore': 'tmp\n',
    'sub/tmp': '',
    'sub/c.txt': '',
  });
  git(folder, 'init', '-q');
  expect((await changedFiles({ home, run: 'r1' })).added).toEqual(['b.txt', 'sub/.gitignore', 'sub/c.txt']);
});

test('[SM11] names that are not text are shown escaped, and packages of the project itself count', async () => {
  const { project, home } = testProject({ 'node_modules/own.js': '' });
  git(project, 'init', '-q');
  const folder = await prepareRunFolder({ home, run: 'r1', project });
  mkdirSync(join(folder, 'd'));
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/d/`), Buffer.from([0xff])]), '');
  rmSync(join(folder, 'node_modules/own.js'));
  expect(await changedFiles({ home, run: 'r1' })).toEqual({
    added: [String.raw`"d/\xff"`],
    modified: [],
    deleted: ['node_modules/own.js'],
  });
});

test('[L3] a run whose files are gone is told with a code', async () => {
  const { home } = testProject();
  const error: unknown = await changedFiles({ home, run: 'none' }).catch((reason: unknown) => reason);
  expect(isFault(error) && error.code).toBe('RUN_FOLDER_MISSING');
});
