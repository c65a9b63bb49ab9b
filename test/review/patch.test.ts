import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { git } from '../cli/file-projects.ts';
import { reviewProject } from '../cli/review-project.ts';
import type { Sandbox } from '../cli/sandbox.ts';

const WINNER = 'export const double = (value) => value + value;\n';

/** A separate folder with what the project holds now. */
function copyOf({ project }: Sandbox): string {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-patched-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(project, folder, { recursive: true });
  return folder;
}

/** The user's own command, as the user would run it. */
const verify = (folder: string): number | null =>
  spawnSync(process.execPath, ['--test', 'test.mjs'], { cwd: folder }).status;

const double = (folder: string): string => readFileSync(join(folder, 'double.mjs'), 'utf8');

function committed(sandbox: Sandbox): Sandbox {
  git(sandbox, 'init', '-q', '-b', 'trunk');
  git(sandbox, 'config', 'user.name', 'Ada');
  git(sandbox, 'config', 'user.email', 'ada@example.org');
  git(sandbox, 'add', '.');
  git(sandbox, 'commit', '-q', '-m', 'first');
  return sandbox;
}

const runIn = (stderr: string): string => /troupe deliver (\S+) --apply/.exec(stderr)?.[1] ?? '';

test('[PD7] in git the winner waits on a branch and is offered as a patch: both give the same files, which pass', async () => {
  const sandbox = committed(reviewProject());
  const ran = await sandbox.troupe(['run', 'two_minds', 'Double it.']);
  const run = runIn(ran.stderr);
  expect({ code: ran.code, stderr: ran.stderr }).toEqual({
    code: 0,
    stderr: expect.stringContaining(`1 file waits on the branch troupe/${run}.`),
  });
  expect(ran.stderr).toContain(`  patch: troupe deliver ${run} --patch FILE`);
  const made = await sandbox.troupe(['deliver', run, '--patch', 'winner.patch']);
  expect(made.code).toBe(0);
  expect(git(sandbox, 'status', '--porcelain')).toBe('?? winner.patch\n');

  const [patched, branched] = [copyOf(sandbox), copyOf(sandbox)];
  execFileSync('git', ['apply', '--index', 'winner.patch'], { cwd: patched });
  execFileSync('git', ['checkout', '-q', `troupe/${run}`], { cwd: branched });
  const tree = (...words: readonly string[]) => execFileSync('git', words, { cwd: patched, encoding: 'utf8' });
  expect(tree('write-tree')).toBe(tree('rev-parse', `troupe/${run}^{tree}`));
  for (const folder of [patched, branched]) {
    expect(double(folder)).toBe(WINNER);
    expect(verify(folder)).toBe(0);
  }
  // What failed is what the project has without it.
  expect(verify(sandbox.project)).not.toBe(0);
}, 120_000);

test('[PD7] outside git the winner waits as a patch, which patch and git take alike', async () => {
  const sandbox = reviewProject();
  const ran = await sandbox.troupe(['run', 'two_minds', 'Double it.']);
  const [, file = ''] = /1 file waits in the patch (.*)$/m.exec(ran.stderr) ?? [];
  expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 0, stderr: expect.stringContaining('result.patch') });
  const tools: readonly (readonly [string, readonly string[]])[] = [
    ['patch', ['-s', '-p1', '-i', file]],
    ['git', ['apply', file]],
  ];
  // Not every machine has both.
  for (const [program, words] of tools.filter(([name]) => spawnSync(name, ['--version']).status === 0)) {
    const folder = copyOf(sandbox);
    execFileSync(program, words, { cwd: folder });
    expect(double(folder)).toBe(WINNER);
    expect(verify(folder)).toBe(0);
  }
  const applied = await sandbox.troupe(['deliver', runIn(ran.stderr), '--apply', '--verify', 'node --test test.mjs']);
  expect(applied.code).toBe(0);
  expect(verify(sandbox.project)).toBe(0);
}, 120_000);

test('[PD7] [L10] where the user wrote the same file meanwhile the person chooses: nothing is changed before', async () => {
  const sandbox = committed(reviewProject());
  const run = runIn((await sandbox.troupe(['run', 'two_minds', 'Double it.'])).stderr);
  const own = 'export const double = (n) => n * 2;\n';
  sandbox.write('double.mjs', own);
  const refused = await sandbox.troupe(['deliver', run, '--apply']);
  expect(refused.code).toBe(3);
  expect(refused.stderr).toContain('Nothing was changed: 1 conflict.');
  expect(refused.stderr).toContain(`troupe deliver ${run} --apply --theirs double.mjs`);
  expect(sandbox.read('double.mjs')).toBe(own);
  const words = ['deliver', run, '--apply', '--theirs', 'double.mjs', '--verify', 'node --test test.mjs'];
  expect((await sandbox.troupe(words)).code).toBe(0);
  expect(sandbox.read('double.mjs')).toBe(WINNER);
}, 120_000);
