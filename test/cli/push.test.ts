import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { git, gitProject, writingRun } from './file-projects.ts';
import { jsonLines } from './sandbox.ts';

test('[L3] a delivered branch is pushed to a remote of the clone, and a push that fails leaves it there', async () => {
  const sandbox = gitProject();
  const remote = join(sandbox.home, 'remote.git');
  execFileSync('git', ['init', '-q', '--bare', remote]);
  git(sandbox, 'remote', 'add', 'team', remote);
  const { run } = await writingRun(sandbox);
  const pushed = await sandbox.troupe(['deliver', run, '--push', 'team']);
  expect(pushed).toMatchObject({ code: 0 });
  expect(pushed.stderr).toContain(`Pushed troupe/${run} to team.`);
  const there = execFileSync('git', ['show', `troupe/${run}:src/made.txt`], { cwd: remote, encoding: 'utf8' });
  expect(there).toBe('made by the run\nand changed again\n');
  const printed = await sandbox.troupe(['deliver', run, '--push', 'team', '--json']);
  expect(jsonLines(printed.stdout).at(-1)).toEqual({ kind: 'result.pushed', branch: `troupe/${run}`, remote: 'team' });
  const failed = await sandbox.troupe(['deliver', run, '--push', 'nowhere']);
  expect(failed.code).toBe(1);
  expect(failed.stderr).toContain('PUSH_FAILED');
  expect(git(sandbox, 'rev-parse', '--verify', `troupe/${run}`)).toMatch(/^[0-9a-f]{40}/);
  const both = await sandbox.troupe(['deliver', run, '--push', 'team', '--apply']);
  expect(both).toMatchObject({ code: 2 });
  expect(both.stderr).toContain('only a branch can be pushed');
});
