import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writingProject, writingRun } from './file-projects.ts';

test('[U1] prune removes the workspaces of old settled runs and keeps the newest and the open ones', async () => {
  const sandbox = writingProject();
  const first = await writingRun(sandbox);
  const second = await writingRun(sandbox);
  await sandbox.troupe(['rollback', first.run, '--to', 'again', '--yes']);
  const third = await writingRun(sandbox);
  const waiting = await sandbox.troupe(['prune', '--older-than', '0d', '--keep', '1', '--json']);
  expect(JSON.parse(waiting.stdout)).toMatchObject({ runs: [] });
  await sandbox.troupe(['discard', second.run, '--yes']);
  const dry = await sandbox.troupe(['prune', '--older-than', '0d', '--keep', '1', '--dry-run', '--json']);
  expect(JSON.parse(dry.stdout)).toMatchObject({ kind: 'prune', isDry: true, runs: [{ run: second.run }] });
  expect(readdirSync(join(sandbox.home, 'runs')).sort()).toEqual([first.run, second.run, third.run].sort());
  expect((await sandbox.troupe(['prune', '--keep', '0'])).stdout).toContain('the workspaces of 0 runs');
  const pruned = await sandbox.troupe(['prune', '--older-than', '0d', '--keep', '1']);
  expect(pruned).toMatchObject({ code: 0, stdout: expect.stringContaining(second.run) });
  expect(readdirSync(join(sandbox.home, 'runs')).sort()).toEqual([first.run, third.run].sort());
  expect((await sandbox.troupe(['resume', first.run])).code).toBe(0);
  expect((await sandbox.troupe(['logs', second.run])).stdout).toContain('Done.');
});

test('[L3] a run whose files were pruned says so, and its journal is still there', async () => {
  const sandbox = writingProject();
  const { run } = await writingRun(sandbox);
  rmSync(join(sandbox.home, 'stores'), { recursive: true });
  rmSync(join(sandbox.home, 'runs', run), { recursive: true });
  for (const words of [
    ['diff', run],
    ['deliver', run, '--apply'],
    ['rollback', run, '--yes'],
    ['fork', run, '--at', 'again'],
  ]) {
    const result = await sandbox.troupe(words);
    expect({ words, code: result.code, isNamed: result.stderr.includes('FILES_PRUNED') }).toEqual({
      words,
      code: 2,
      isNamed: true,
    });
  }
  expect((await sandbox.troupe(['show', run])).code).toBe(0);
});

test('[L3] an age that cannot be read is refused', async () => {
  const sandbox = writingProject();
  const result = await sandbox.troupe(['prune', '--older-than', 'thirty']);
  expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining('30d') });
  expect(existsSync(join(sandbox.home, 'stores'))).toBe(false);
});

/** Everything below a folder was written so long ago. */
function age(folder: string, seconds: number): void {
  const then = Date.now() / 1000 - seconds;
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    utimesSync(join(folder, name), then, then);
}

test(
  '[U1] prune really removes the snapshots of old runs, leaves those of kept ones whole, and frees their space',
  { timeout: 120_000 },
  async () => {
    const sandbox = writingProject({ 'src/large.bin': randomBytes(300_000).toString('base64') });
    const old = await writingRun(sandbox);
    await sandbox.troupe(['discard', old.run, '--yes']);
    sandbox.write('src/large.bin', randomBytes(300_000).toString('base64'));
    const kept = await writingRun(sandbox);
    // What is younger than an hour may belong to a run that is just beginning.
    const young = await sandbox.troupe(['prune', '--older-than', '0s', '--keep', '1', '--json']);
    expect(JSON.parse(young.stdout)).toMatchObject({ runs: [{ run: old.run }], snapshots: { objects: 0 } });
    age(join(sandbox.home, 'stores'), 2 * 3600);
    const before = treeSize(join(sandbox.home, 'stores'));
    const pruned = await sandbox.troupe(['prune', '--older-than', '0s', '--keep', '1', '--json']);
    const { snapshots } = JSON.parse(pruned.stdout) as { snapshots: { objects: number; bytes: number } };
    expect(snapshots.objects).toBeGreaterThan(0);
    expect(snapshots.bytes).toBeGreaterThan(200_000);
    expect(treeSize(join(sandbox.home, 'stores'))).toBeLessThan(before - 200_000);
    expect((await sandbox.troupe(['diff', old.run])).stderr).toContain('FILES_PRUNED');
    expect((await sandbox.troupe(['diff', kept.run, '--stat'])).stdout).toContain('src/made.txt');
    expect((await sandbox.troupe(['rollback', kept.run, '--yes'])).code).toBe(0);
    expect((await sandbox.troupe(['doctor'])).stdout).not.toMatch(/^error/m);
  },
);

function treeSize(folder: string): number {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.reduce((sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0), 0);
}
