import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { git, gitProject, KEPT, writingProject, writingRun } from './file-projects.ts';
import type { Sandbox } from './sandbox.ts';

const branches = (sandbox: Sandbox): string => git(sandbox, 'branch', '--list', 'troupe/*').trim();

async function stateOf(sandbox: Sandbox, run: string): Promise<string> {
  const { stdout } = await sandbox.troupe(['show', run, '--json']);
  return (JSON.parse(stdout) as { readonly result: { readonly state: string } }).result.state;
}

const kinds = async (sandbox: Sandbox, run: string): Promise<readonly string[]> => {
  const { stdout } = await sandbox.troupe(['logs', run, '--json']);
  return stdout
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { readonly kind: string }).kind);
};

test('[R1] discard removes the branch of the run and can be taken back, after which the result is delivered again', async () => {
  const sandbox = gitProject();
  const { run } = await writingRun(sandbox);
  expect(branches(sandbox)).toContain(run);
  const unasked = await sandbox.troupe(['discard', run]);
  expect(unasked).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
  const discarded = await sandbox.troupe(['discard', run, '--yes', '--by', 'ada', '--json']);
  expect(JSON.parse(discarded.stdout)).toEqual({
    kind: 'result.discarded',
    run,
    by: 'ada',
    removed: [`troupe/${run}`],
    kept: [],
  });
  expect([await stateOf(sandbox, run), branches(sandbox)]).toEqual(['discarded', '']);
  expect((await sandbox.troupe(['list'])).stdout).toContain('ok · discarded');
  const shown = (await sandbox.troupe(['show', run])).stdout;
  expect(shown).toMatch(new RegExp(`^result    discarded by ada\\n +undo: +troupe discard ${run} --undo$`, 'm'));
  expect(shown).not.toMatch(/waits? /);
  for (const words of [
    ['discard', run, '--yes'],
    ['deliver', run],
    ['resume', run],
  ]) {
    const refused = await sandbox.troupe(words);
    expect(refused.stderr).toContain('RESULT_DISCARDED');
    expect(refused.stderr).toContain(`troupe discard ${run} --undo`);
  }
  expect((await sandbox.troupe(['discard', run, '--undo'])).code).toBe(0);
  expect(await stateOf(sandbox, run)).toBe('waiting');
  expect((await sandbox.troupe(['discard', run, '--undo'])).stderr).toContain('RESULT_NOT_DISCARDED');
  expect((await sandbox.troupe(['deliver', run, '--apply'])).code).toBe(0);
  expect(sandbox.read('src/kept.txt')).toBe(KEPT.replace('two', 'TWO'));
  const delivered = await sandbox.troupe(['discard', run, '--yes']);
  expect(delivered.stderr).toContain('RESULT_DELIVERED');
  expect(delivered.stderr).toContain(`troupe rollback ${run} --files`);
});

test('[R1] a discard that died after its record is finished by asking again', async () => {
  const sandbox = gitProject();
  const { run } = await writingRun(sandbox);
  const branch = `troupe/${run}`;
  const commit = git(sandbox, 'rev-parse', branch).trim();
  await sandbox.troupe(['discard', run, '--yes']);
  // As if the process had died before it removed the branch.
  git(sandbox, 'branch', branch, commit);
  const again = await sandbox.troupe(['discard', run, '--yes', '--json']);
  expect(JSON.parse(again.stdout)).toMatchObject({ removed: [branch] });
  expect([branches(sandbox), (await sandbox.troupe(['discard', run, '--yes'])).code]).toEqual(['', 2]);
});

test('[R1] discard keeps a branch that somebody worked on, and says so', async () => {
  const sandbox = gitProject();
  const { run } = await writingRun(sandbox);
  const branch = `troupe/${run}`;
  git(sandbox, 'checkout', '-q', branch);
  git(sandbox, 'commit', '-q', '--allow-empty', '-m', 'mine');
  git(sandbox, 'checkout', '-q', '-');
  const { stderr } = await sandbox.troupe(['discard', run, '--yes']);
  expect(stderr).toContain(`kept:     ${branch}`);
  expect(branches(sandbox)).toBe(branch);
  const undone = await sandbox.troupe(['discard', run, '--undo']);
  expect(undone.stderr).toContain(`kept:     ${branch}`);
  expect((await sandbox.troupe(['list'])).stdout).toContain(`in branch ${branch}`);
  expect(undone.stderr).toContain(`troupe deliver ${run} --apply`);
  expect((await sandbox.troupe(['deliver', run, '--apply'])).code).toBe(0);
});

test('[R1] a result whose branch the user deleted can be discarded', async () => {
  const sandbox = gitProject();
  const { run } = await writingRun(sandbox);
  git(sandbox, 'branch', '-D', `troupe/${run}`);
  expect((await sandbox.troupe(['show', run])).stdout).toContain(`troupe deliver ${run}`);
  expect((await sandbox.troupe(['discard', run, '--yes'])).code).toBe(0);
  expect(await stateOf(sandbox, run)).toBe('discarded');
});

test('[R1] deliver without a target changes only what it names of the order that the run was started with', async () => {
  const sandbox = gitProject();
  const { run } = await writingRun(sandbox, '--apply', '--verify', 'false', '--out', 'copied');
  expect(await stateOf(sandbox, run)).toBe('refused');
  const delivered = await sandbox.troupe(['deliver', run, '--verify', 'true', '--json']);
  expect(JSON.parse(delivered.stdout)).toMatchObject({ kind: 'result.applied', check: { command: 'true' } });
  expect([await stateOf(sandbox, run), branches(sandbox)]).toEqual(['delivered', '']);
  expect(existsSync(join(sandbox.project, 'copied', 'src', 'made.txt'))).toBe(true);
});

test('[R1] discard removes the patch of a run outside of git', async () => {
  const sandbox = writingProject();
  const { run } = await writingRun(sandbox);
  const patch = join(sandbox.home, 'runs', run, 'result.patch');
  expect(existsSync(patch)).toBe(true);
  await sandbox.troupe(['discard', run, '--yes']);
  expect(existsSync(patch)).toBe(false);
});

test('[R1] archive hides a run from the list until it is undone', async () => {
  const sandbox = writingProject();
  const { run } = await writingRun(sandbox);
  const listed = async (...words: readonly string[]) => (await sandbox.troupe(['list', ...words])).stdout.includes(run);
  const hostile = await sandbox.troupe(['archive', run, '--by', 'mal\u001B[31mlory\nsecond']);
  expect(hostile).toMatchObject({ code: 2, stderr: expect.stringContaining('TEXT_INVALID') });
  const archived = await sandbox.troupe(['archive', run, '--by', 'ada', '--json']);
  expect(JSON.parse(archived.stdout)).toEqual({ run, kind: 'run.archived', by: 'ada' });
  expect([await listed(), await listed('--archived')]).toEqual([false, true]);
  expect((await sandbox.troupe(['list', '--archived'])).stdout).toContain(' · archived');
  expect((await sandbox.troupe(['archive', run])).stderr).toContain('RUN_ARCHIVED');
  expect((await sandbox.troupe(['archive', run, '--undo'])).code).toBe(0);
  expect(await listed()).toBe(true);
  expect((await sandbox.troupe(['archive', run, '--undo'])).stderr).toContain('RUN_NOT_ARCHIVED');
});

test('[R1] deliver alone repeats what the run was started with, and a taken branch leaves the result where it was', async () => {
  const sandbox = gitProject();
  const { run } = await writingRun(sandbox, '--verify', 'test -e src/made.txt');
  git(sandbox, 'branch', 'mine');
  const taken = await sandbox.troupe(['deliver', run, '--branch', 'mine']);
  expect(taken).toMatchObject({ code: 2, stderr: expect.stringContaining('BRANCH_EXISTS') });
  expect(await stateOf(sandbox, run)).toBe('waiting');
  const again = await sandbox.troupe(['deliver', run, '--json']);
  expect(JSON.parse(again.stdout)).toMatchObject({
    branch: `troupe/${run}`,
    check: { command: 'test -e src/made.txt' },
  });
  expect((await kinds(sandbox, run)).filter((kind) => kind.startsWith('delivery.'))).toEqual([
    'delivery.started',
    'delivery.finished',
    'delivery.started',
    'delivery.failed',
    'delivery.started',
    'delivery.finished',
  ]);
});

test('[R1] a fork changes what becomes of the result', async () => {
  const sandbox = gitProject();
  const { run } = await writingRun(sandbox);
  const forked = await sandbox.troupe([
    'fork',
    run,
    '--at',
    'again',
    '--apply',
    '--verify',
    'test -e src/made.txt',
    '--json',
  ]);
  expect(forked.code).toBe(0);
  expect(sandbox.read('src/made.txt')).toContain('changed again');
  const { items } = JSON.parse((await sandbox.troupe(['list', '--json'])).stdout) as {
    readonly items: readonly { readonly run: string; readonly result: { readonly state: string } }[];
  };
  expect(items.map(({ result }) => result.state)).toEqual(['delivered', 'waiting']);
});
