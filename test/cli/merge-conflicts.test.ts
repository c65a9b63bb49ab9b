import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { git, gitProject, KEPT, repositoryState, treeHash, writingProject, writingRun } from './file-projects.ts';
import { jsonLines } from './sandbox.ts';

const MINE = KEPT.replace('two', 'my two');

/** A run whose result is in conflict with what was committed since it began. */
async function overtaken() {
  const sandbox = gitProject();
  const { run } = await writingRun(sandbox);
  sandbox.write('src/kept.txt', MINE);
  git(sandbox, 'commit', '-qam', 'mine', '--no-verify');
  return { sandbox, run };
}

test('[PD7] in conflict with a commit the branch holds what the run made, and git merges it', async () => {
  const { sandbox, run } = await overtaken();
  const { files, ...before } = repositoryState(sandbox);
  const printed = await sandbox.troupe(['deliver', run]);
  expect(printed.code).toBe(3);
  expect(printed.stderr).toContain('conflict  src/kept.txt: you and the run changed the same lines');
  expect(printed.stderr).toContain(`git merge troupe/${run}`);
  expect(repositoryState(sandbox)).toEqual({ files, ...before });
  expect(git(sandbox, 'rev-parse', `troupe/${run}^`)).toBe(git(sandbox, 'rev-parse', 'trunk^'));
  expect((await sandbox.troupe(['show', run])).stdout).toContain(`troupe/${run}; 1 path in conflict`);
});

test('[PD7] every way that a conflict offers works: git, or choosing a side', async () => {
  const { sandbox, run } = await overtaken();
  const printed = await sandbox.troupe(['deliver', run, '--apply']);
  expect(printed.code).toBe(3);
  const ways = [...printed.stderr.matchAll(/troupe deliver (\S+ --\S.*?)(?: {3}|, then|\n)/g)].map(
    ([, words]) => words,
  );
  expect(ways).toEqual([
    `${run} --apply --ours src/kept.txt`,
    `${run} --apply --theirs src/kept.txt`,
    `${run} --branch troupe/${run}`,
  ]);
  expect((await sandbox.troupe(['deliver', run, '--branch', `troupe/${run}`])).code).toBe(3);
  git(sandbox, 'rev-parse', '--verify', `troupe/${run}`);
  const chosen = await sandbox.troupe(['deliver', run, '--apply', '--ours', 'src/kept.txt']);
  expect(chosen.code).toBe(0);
  expect(sandbox.read('src/kept.txt')).toBe(MINE);
  expect(sandbox.read('src/made.txt')).toContain('made by the run');
});

test("[PD7] --theirs takes the run's version, and one command takes it back", async () => {
  const sandbox = writingProject();
  const { run } = await writingRun(sandbox);
  sandbox.write('src/kept.txt', MINE);
  const before = treeHash(sandbox.project);
  const applied = await sandbox.troupe(['deliver', run, '--apply', '--theirs', './src/', '--json']);
  expect(applied.code).toBe(0);
  expect(sandbox.read('src/kept.txt')).toBe(KEPT.replace('two', 'TWO'));
  const { undoTo } = JSON.parse(applied.stdout) as { readonly undoTo: number };
  expect((await sandbox.troupe(['rollback', run, '--to', String(undoTo), '--files', '--yes'])).code).toBe(0);
  expect(treeHash(sandbox.project)).toBe(before);
});

test('[L3] a side that settles nothing, is said twice or is meant for a branch is refused', async () => {
  const { sandbox, run } = await overtaken();
  for (const [words, code] of [
    [['--apply', '--ours', 'src/other.txt'], 'NOT_IN_CONFLICT'],
    [['--apply', '--ours', 'src/kept.txt', '--theirs', 'src/kept.txt'], 'USAGE'],
    [['--branch', 'x', '--ours', '.'], 'USAGE'],
    [['--apply', '--theirs', ''], 'USAGE'],
    [['--apply', '--ours='], 'USAGE'],
  ] as const) {
    const refused = await sandbox.troupe(['deliver', run, ...words]);
    expect({ words, code: refused.code, isNamed: refused.stderr.includes(code) }).toEqual({
      words,
      code: 2,
      isNamed: true,
    });
    expect(refused.stderr).toContain('hint:');
  }
  expect(sandbox.read('src/kept.txt')).toBe(MINE);
});

test('[PD7] outside git a conflict offers a patch and no branch; the patch brings what fits', async () => {
  const sandbox = writingProject();
  const { run } = await writingRun(sandbox);
  sandbox.write('src/kept.txt', MINE);
  const printed = await sandbox.troupe(['deliver', run, '--apply']);
  expect(printed.stderr).not.toContain('--branch');
  const patch = await sandbox.troupe(['deliver', run, '--patch', 'changes.patch', '--json']);
  expect(patch.code).toBe(3);
  expect(JSON.parse(patch.stdout)).toMatchObject({ kind: 'result.patch', conflicts: [{ path: 'src/kept.txt' }] });
  const environment = { PATH: process.env['PATH'] ?? '', HOME: sandbox.home, GIT_CEILING_DIRECTORIES: sandbox.home };
  try {
    execFileSync('git', ['apply', '--reject', 'changes.patch'], {
      cwd: sandbox.project,
      env: environment,
      stdio: 'pipe',
    });
  } catch {
    // It ends with 1 where something was rejected.
  }
  expect(sandbox.read('src/made.txt')).toContain('made by the run');
  expect(sandbox.read('src/kept.txt')).toBe(MINE);
  expect(existsSync(join(sandbox.project, 'src/kept.txt.rej'))).toBe(true);
});

test('[PD7] a run that goes on with uncommitted work leaves a branch, with that work in a separate commit', async () => {
  const sandbox = gitProject();
  sandbox.write('src/kept.txt', KEPT.replace('two', 'two, not committed'));
  const { run, code, stdout } = await writingRun(sandbox);
  expect(code).toBe(0);
  expect(jsonLines(stdout).at(-2)).toMatchObject({
    kind: 'result.branch',
    conflicts: [],
    uncommitted: ['src/kept.txt'],
  });
  expect(git(sandbox, 'log', '--format=%s', `trunk..troupe/${run}`)).toBe('Write it\nWhat the run began with\n');
  expect((await sandbox.troupe(['deliver', run, '--apply'])).code).toBe(0);
  expect(sandbox.read('src/kept.txt')).toContain('TWO, not committed');
});

test('[PD7] the branch of another run is not written over', async () => {
  const sandbox = gitProject();
  const [first, second] = [await writingRun(sandbox), await writingRun(sandbox)];
  const branch = `troupe/${first.run}`;
  const made = git(sandbox, 'rev-parse', branch);
  const refused = await sandbox.troupe(['deliver', second.run, '--branch', branch]);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('BRANCH_EXISTS') });
  expect(refused.stderr).toContain(`git branch -m ${branch} ${branch}-old`);
  expect(git(sandbox, 'rev-parse', branch)).toBe(made);
});

test('[PD7] what would change nothing is not written down as applied', async () => {
  const sandbox = writingProject();
  const { run } = await writingRun(sandbox);
  sandbox.write('src/kept.txt', KEPT.replace('two', 'TWO'));
  sandbox.write('src/made.txt', 'made by the run\nand changed again\n');
  const applied = await sandbox.troupe(['deliver', run, '--apply']);
  expect(applied).toMatchObject({ code: 0, stderr: expect.stringContaining('Nothing to apply') });
  const kinds = jsonLines((await sandbox.troupe(['logs', run, '--json'])).stdout).map(({ kind }) => kind);
  expect(kinds).not.toContain('project.changed');
});
