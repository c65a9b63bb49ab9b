import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runId } from '../core/model/ids.ts';
import { copyResults } from './copy-results.ts';
import { testProject, writeFiles } from './testing/test-project.ts';
import { createWorkspaces } from './workspaces.ts';

/** A run that changed, made and deleted something, and then whatever `more` does. */
async function changedRun(more: (folder: string) => void = () => undefined) {
  const { project, home } = testProject({ same: 's', edited: 'e', gone: 'g', turned: 't' });
  const workspaces = createWorkspaces({ home });
  onTestFinished(() => workspaces.close());
  const { tree: before } = await workspaces.begin(project);
  const workspace = await workspaces.open({ root: runId('r1'), name: 'main', project, tree: before });
  writeFiles(workspace.folder, { edited: 'E', 'new/deep.sh': '#!/bin/sh\n' });
  chmodSync(join(workspace.folder, 'new/deep.sh'), 0o755);
  rmSync(join(workspace.folder, 'gone'));
  more(workspace.folder);
  const after = await workspace.record();
  rmSync(workspace.folder, { recursive: true });
  return { store: await workspaces.store(project), before, after, to: join(home, '..', 'out') };
}

test('[L4] what was added and modified is copied, modes and all, even when the workspace is gone', async () => {
  const run = await changedRun();
  expect(await copyResults(run)).toEqual({
    written: ['edited', 'new/deep.sh'],
    same: [],
    refused: [],
    deleted: ['gone'],
  });
  expect(readdirSync(run.to).sort()).toEqual(['edited', 'new']);
  expect(readdirSync(join(run.to, 'new'))).toEqual(['deep.sh']);
  expect(statSync(join(run.to, 'new/deep.sh')).mode & 0o777).toBe(0o755);
  expect((await copyResults(run)).same).toEqual(['edited', 'new/deep.sh']);
});

test('[L3] a file that differs is overwritten only on request', async () => {
  const run = await changedRun();
  writeFiles(run.to, { edited: "the user's own" });
  const careful = await copyResults(run);
  expect(careful.written).toEqual(['new/deep.sh']);
  expect(careful.refused).toEqual([{ path: 'edited', why: 'edited is there already with other content.' }]);
  expect(readFileSync(join(run.to, 'edited'), 'utf8')).toBe("the user's own");
  expect(await copyResults({ ...run, overwrite: true })).toMatchObject({ written: ['edited'], refused: [] });
  expect(readFileSync(join(run.to, 'edited'), 'utf8')).toBe('E');
});

test('[SM11] results never go through a link, and links that lead out are not brought', async () => {
  const run = await changedRun((folder) => {
    symlinkSync('/etc/passwd', join(folder, 'passwd'));
    symlinkSync('edited', join(folder, 'fine'));
  });
  const outside = join(run.to, '..', 'outside');
  mkdirSync(outside);
  mkdirSync(run.to);
  symlinkSync(outside, join(run.to, 'new'));
  const results = await copyResults({ ...run, overwrite: true });
  expect(results.written).toEqual(['edited', 'fine']);
  expect(results.refused.map(({ path }) => path)).toEqual(['new/deep.sh', 'passwd']);
  expect(readdirSync(outside)).toEqual([]);
  expect((await copyResults({ ...run, overwrite: true })).same).toEqual(['edited', 'fine']);
});

test('[L8] what steers programs is not carried out of a run', async () => {
  const run = await changedRun((folder) => {
    writeFiles(folder, { '.git/hooks/post-checkout': 'x', 'sub/.git/config': 'x', '.troupe/tools/evil.ts': 'x' });
  });
  expect((await copyResults(run)).written).toEqual(['edited', 'new/deep.sh']);
  expect(existsSync(join(run.to, '.git'))).toBe(false);
});

test('[L3] a folder in the way is refused, the rest is brought; a file that became a folder is reported as deleted', async () => {
  const run = await changedRun((folder) => {
    rmSync(join(folder, 'turned'));
    writeFiles(folder, { 'turned/inside': 'x' });
  });
  writeFiles(run.to, { 'edited/inside': '' });
  const results = await copyResults({ ...run, overwrite: true });
  expect(results).toMatchObject({ written: ['new/deep.sh', 'turned/inside'], refused: [{ path: 'edited' }] });
  expect(results.deleted).toEqual(['gone', 'turned']);
});
