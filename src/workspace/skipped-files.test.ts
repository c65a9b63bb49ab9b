import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { git, testProject, writeFiles } from './testing/test-project.ts';
import { faultCode, filesIn, METHODS, testWorkspaces } from './testing/test-workspaces.ts';

const pipe = (...path: readonly string[]): unknown => execFileSync('/usr/bin/env', ['mkfifo', join(...path)]);

test('[FI4] [C34] special files of a git project are reported, though git does not list them; ignored ones are not', async () => {
  const place = testProject({ '.gitignore': '*.sock\nbuild/\n', 'a.txt': 'a', 'src/b.txt': 'b', 'build/x': '' });
  git(place.project, 'init', '-q');
  for (const path of ['odd', 'src/odd', 'ignored.sock', 'build/odd']) pipe(place.project, path);
  const { workspaces, open } = testWorkspaces(place);
  for (const when of ['first', 'again']) {
    const state = await workspaces.begin(place.project);
    const skipped = [...state.skipped].sort((a, b) => (a.path < b.path ? -1 : 1));
    expect({ when, skipped, files: state.files }).toEqual({
      when,
      skipped: [
        { path: 'odd', why: 'special' },
        { path: 'src/odd', why: 'special' },
      ],
      files: 3,
    });
    const workspace = await open(state.tree);
    expect(filesIn(workspace.folder)).toEqual(['.gitignore', 'a.txt', 'src/b.txt']);
  }
});

test('[FI4] what may not be read is reported and left out, with and without git', async (context) => {
  if (process.getuid?.() === 0) context.skip('root may read everything');
  const place = testProject({ 'a.txt': 'a', 'secret.key': 'x' });
  chmodSync(join(place.project, 'secret.key'), 0);
  const { workspaces } = testWorkspaces(place);
  for (const kind of ['plain', 'git']) {
    if (kind === 'git') git(place.project, 'init', '-q');
    const { skipped, files, source } = await workspaces.begin(place.project);
    expect({ skipped, files, source }).toEqual({
      skipped: [{ path: 'secret.key', why: 'unreadable' }],
      files: 1,
      source: kind,
    });
  }
});

test('[FI4] [C40] a file over workspaces.largest_file is reported, takes no room, and does not stop the start', async () => {
  const place = testProject({ 'a.txt': 'a', 'film.bin': 'x'.repeat(5000) });
  for (const kind of ['plain', 'git']) {
    if (kind === 'git') git(place.project, 'init', '-q');
    const { workspaces } = testWorkspaces(place, { settings: { largestFile: 4999, maxBytes: 100 } });
    const { skipped, files } = await workspaces.begin(place.project);
    expect({ kind, skipped, files }).toEqual({ kind, skipped: [{ path: 'film.bin', why: 'too-large' }], files: 1 });
    const { workspaces: smaller } = testWorkspaces(place, { settings: { largestFile: 5000, maxBytes: 100 } });
    expect(await faultCode(smaller.begin(place.project))).toBe('PROJECT_TOO_LARGE');
  }
});

test.for(METHODS)(
  '[FI5] [C40] a file that a run makes over the limit outlives a rollback of its workspace (%s)',
  async (method) => {
    const place = testProject({ 'a.txt': 'a', 'run.log': 'short' });
    const { start } = testWorkspaces(place, { settings: { method, largestFile: 99 } });
    const workspace = await start();
    const before = await workspace.record();
    writeFiles(workspace.folder, { 'model.bin': 'm'.repeat(100), 'run.log': 'l'.repeat(100), 'a.txt': 'b' });
    await workspace.record();
    await workspace.restore(before);
    const read = (name: string): string => readFileSync(join(workspace.folder, name), 'utf8');
    expect([read('a.txt'), read('run.log')]).toEqual(['a', 'short']);
    expect([read('model.bin'), read('run.log.kept')]).toEqual(['m'.repeat(100), 'l'.repeat(100)]);
  },
);

test('[C34] a huge file that is only a hole is reported at once, and never read', async () => {
  const place = testProject({ 'a.txt': 'a' });
  execFileSync('truncate', ['-s', '1T', join(place.project, 'hole')]);
  const { workspaces } = testWorkspaces(place);
  expect(await workspaces.begin(place.project)).toMatchObject({
    skipped: [{ path: 'hole', why: 'too-large' }],
    files: 1,
  });
});
