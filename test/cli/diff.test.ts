import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { git, gitProject, KEPT, repositoryState, treeHash, writingProject, writingRun } from './file-projects.ts';
import { scriptedProject } from './projects.ts';

for (const [kind, make] of [
  ['a plain folder', writingProject],
  ['a git project', gitProject],
] as const) {
  test(`[U1] in ${kind} diff prints a patch that git apply takes, and the result is what the run made`, async () => {
    const sandbox = make();
    const before = treeHash(sandbox.project);
    const { run } = await writingRun(sandbox);
    expect(treeHash(sandbox.project)).toBe(before);
    const { code, stdout, stderr } = await sandbox.troupe(['diff', run]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    execFileSync('git', ['apply', '-'], { cwd: sandbox.project, input: stdout });
    expect(sandbox.read('src/made.txt')).toBe('made by the run\nand changed again\n');
    expect(sandbox.read('src/kept.txt')).toContain('TWO');
  });
}

test('[U1] diff leaves the repository as it is', async () => {
  const sandbox = gitProject();
  const { run } = await writingRun(sandbox);
  const before = repositoryState(sandbox);
  await sandbox.troupe(['diff', run]);
  await sandbox.troupe(['diff', run, '--stat', '--from', 'again', '--to', 'end']);
  expect(repositoryState(sandbox)).toEqual(before);
  expect(git(sandbox, 'status', '--short')).toBe(' M src/other.txt\n?? untracked.txt\n');
});

test('[U1] --stat is a list, and a step bounds its content', async () => {
  const sandbox = writingProject();
  const { run } = await writingRun(sandbox);
  expect((await sandbox.troupe(['diff', run, '--stat'])).stdout).toBe(
    'M  src/kept.txt  +1 -1\nA  src/made.txt  +2 -0\n2 files changed, 3 lines added, 1 removed\n',
  );
  expect((await sandbox.troupe(['diff', run, '--stat', '--from', 'again'])).stdout).toMatch(
    /^M {2}src\/made\.txt {2}\+1 -0\n1 file changed/,
  );
  expect((await sandbox.troupe(['diff', run, '--stat', '--to', 'again'])).stdout).toMatch(
    /A {2}src\/made\.txt {2}\+1 -0/,
  );
  const nothing = await sandbox.troupe(['diff', run, '--from', 'start', '--to', 'start']);
  expect(nothing).toMatchObject({ code: 0, stdout: '', stderr: 'No file is different.\n' });
});

test('[U1] diff --json tells each file, the trees and the patch', async () => {
  const sandbox = writingProject();
  const { run } = await writingRun(sandbox);
  const { stdout } = await sandbox.troupe(['diff', run, '--json']);
  expect(JSON.parse(stdout)).toMatchObject({
    kind: 'diff',
    run,
    workspace: 'main',
    added: 3,
    removed: 1,
    hasMore: false,
    before: expect.stringMatching(/^[0-9a-f]{40}$/),
    after: expect.stringMatching(/^[0-9a-f]{40}$/),
    files: [
      { path: 'src/kept.txt', change: 'modified', kind: 'file', added: 1, removed: 1 },
      { path: 'src/made.txt', change: 'added', kind: 'file', added: 2, removed: 0 },
    ],
    patch: expect.stringContaining('+and changed again'),
  });
});

test('[L6] files in the folder that no record names are reported, and seen with --disk', async () => {
  const sandbox = writingProject();
  const { run } = await writingRun(sandbox);
  const folder = join(sandbox.home, 'runs', run, 'work');
  writeFileSync(join(folder, 'left-behind.txt'), 'half\n');
  const { code, stdout, stderr } = await sandbox.troupe(['diff', run, '--stat']);
  expect({ code, named: stdout.includes('left-behind') }).toEqual({ code: 0, named: false });
  expect(stderr).toContain(`troupe diff ${run} --disk`);
  const disk = await sandbox.troupe(['diff', run, '--stat', '--disk']);
  expect(disk.stdout).toContain('A  left-behind.txt');
  expect(disk.stderr).toBe('');
});

test('[PH7] a change that no patch can hold is listed separately', async () => {
  const sandbox = writingProject({
    'answers.yaml': `
rules:
  - when: { state: start }
    steps:
      - tools: [{ name: execute_terminal, arguments: { command: "mkdir empty && chmod 600 src/kept.txt" } }]
      - say: Done.
  - reply: Done.
`,
  });
  chmodSync(join(sandbox.project, 'src/kept.txt'), 0o644);
  const { run, code } = await writingRun(sandbox);
  expect(code).toBe(0);
  const diff = await sandbox.troupe(['diff', run]);
  expect(diff.stdout).toBe('');
  expect(diff.stderr).toContain('A  empty/');
  expect(diff.stderr).toContain('m  src/kept.txt  mode 644 → 600');
});

test('[L3] bad input of diff is a fault with a code and a hint', async () => {
  const sandbox = writingProject();
  const { run } = await writingRun(sandbox);
  for (const [words, code, hint] of [
    [['diff', 'nobody'], 'RUN_UNKNOWN', 'troupe list'],
    [['diff', run, '--from', 'nowhere'], 'STEP_UNKNOWN', 'start, again, stop'],
    [['diff', run, '--to', '999'], 'STEP_UNKNOWN', 'a record'],
    [['diff', run, '--agent', 'workr'], 'AGENT_UNKNOWN', 'worker'],
    [['diff', run, '--workspace', 'mian'], 'WORKSPACE_UNKNOWN', 'main'],
    [['diff', run, '--workspace', 'main', '--agent', 'worker'], 'USAGE', 'Leave one'],
  ] as const) {
    const result = await sandbox.troupe(words);
    expect({ words, code: result.code }).toEqual({ words, code: 2 });
    expect(result.stderr).toContain(code);
    expect(result.stderr).toContain(hint);
  }
});

test('[L3] a run whose agents can use no tool has no files to show', async () => {
  const sandbox = scriptedProject({
    '.troupe/roles/roles.json': JSON.stringify({
      worker: { level: 'base', systemMessage: 'You talk.', includedTools: [] },
    }),
  });
  const { run } = await writingRun(sandbox);
  for (const words of [
    ['diff', run],
    ['deliver', run],
    ['rollback', run, '--files', '--yes'],
  ]) {
    const result = await sandbox.troupe(words);
    expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining('FILES_NONE') });
  }
});

test('[U2] --project compares with the files of the project as they are now', async () => {
  const sandbox = gitProject();
  const { run } = await writingRun(sandbox);
  writeFileSync(join(sandbox.project, 'src/made.txt'), 'made by the run\nand changed again\n');
  const { code, stdout } = await sandbox.troupe(['diff', run, '--project', '--stat']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^M {2}src\/kept\.txt {2}\+1 -1\n1 file changed/);
  const both = await sandbox.troupe(['diff', run, '--project', '--from', 'start']);
  expect(both).toMatchObject({ code: 2, stdout: '' });
});

/** Many commands, one after the other; nothing here is about how long. */
const SLOW = { timeout: 120_000 };

/** A repository with a second branch: one line of a file differs there, one file more, and one that the project ignores. */
function branchedProject() {
  const sandbox = gitProject({ '.gitignore': 'ignored/\n' });
  git(sandbox, 'stash', '-q', '-u');
  git(sandbox, 'checkout', '-q', '-b', 'feature/old');
  sandbox.write('src/kept.txt', KEPT.replace('five', 'FIVE'));
  sandbox.write('src/theirs.txt', 'theirs\n');
  sandbox.write('ignored/made.txt', 'ignored\n');
  git(sandbox, 'add', '-f', '.');
  git(sandbox, 'commit', '-q', '-m', 'old');
  git(sandbox, 'tag', 'v1');
  git(sandbox, 'checkout', '-q', 'trunk');
  git(sandbox, 'stash', 'pop', '-q');
  rmSync(join(sandbox.home, 'hook-ran'), { force: true });
  return sandbox;
}

test('[U2] --against compares with a branch, a tag or a commit, and leaves the repository as it is', SLOW, async () => {
  const sandbox = branchedProject();
  const { run } = await writingRun(sandbox);
  const before = repositoryState(sandbox);
  const commit = git(sandbox, 'rev-parse', 'v1').trim();
  for (const ref of ['feature/old', 'v1', commit.slice(0, 10)]) {
    const { code, stdout, stderr } = await sandbox.troupe(['diff', run, '--against', ref, '--stat']);
    expect({ ref, code, stderr }).toEqual({
      ref,
      code: 0,
      stderr: 'Not compared: 1 that the project ignores: ignored/made.txt\n',
    });
    expect(stdout.split('\n')).toEqual([
      'M  src/kept.txt  +2 -2',
      'A  src/made.txt  +2 -0',
      'M  src/other.txt  +1 -1',
      'D  src/theirs.txt  +0 -1',
      'A  untracked.txt  +1 -0',
      '5 files changed, 6 lines added, 4 removed',
      '',
    ]);
  }
  expect(repositoryState(sandbox)).toEqual(before);
  expect(existsSync(join(sandbox.home, 'hook-ran'))).toBe(false);
  const { stdout } = await sandbox.troupe(['diff', run, '--against', 'v1', '--to', 'start', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({
    against: { ref: 'v1', commit },
    notCompared: { count: 1, some: [{ path: 'ignored/made.txt', why: 'ignored' }] },
    patch: expect.stringContaining('-FIVE\n+five\n'),
  });
});

test('[U2] a patch against a branch takes its files to those of the run', async () => {
  const sandbox = branchedProject();
  const { run } = await writingRun(sandbox);
  const { stdout } = await sandbox.troupe(['diff', run, '--against', 'feature/old']);
  git(sandbox, 'stash', '-q', '-u');
  git(sandbox, 'checkout', '-q', 'feature/old');
  execFileSync('git', ['apply', '-'], { cwd: sandbox.project, input: stdout });
  expect(sandbox.read('src/kept.txt')).toBe(KEPT.replace('two', 'TWO'));
  expect(existsSync(join(sandbox.project, 'src/theirs.txt'))).toBe(false);
});

test('[U2] --branches lists what --against can name', async () => {
  const sandbox = branchedProject();
  const { run } = await writingRun(sandbox);
  expect((await sandbox.troupe(['diff', run, '--branches'])).stdout).toMatch(
    /^\* trunk\n {2}feature\/old\n {2}troupe\/\w+\n$/,
  );
  const { stdout } = await sandbox.troupe(['diff', run, '--branches', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({
    kind: 'branches',
    run,
    isGit: true,
    items: [{ name: 'trunk', isCurrent: true }, { name: 'feature/old' }, { name: `troupe/${run}` }],
  });
});

test('[L3] a name that is no commit is a fault that says which branches there are', SLOW, async () => {
  const sandbox = branchedProject();
  const { run } = await writingRun(sandbox);
  for (const ref of ['nowhere', '--all', '-']) {
    const result = await sandbox.troupe(['diff', run, `--against=${ref}`]);
    expect({ ref, code: result.code, stdout: result.stdout }).toEqual({ ref, code: 2, stdout: '' });
    expect(result.stderr).toContain('REF_UNKNOWN');
    expect(result.stderr).toContain('Its branches: trunk, feature/old');
  }
  for (const more of [['--from', 'start'], ['--project']]) {
    const result = await sandbox.troupe(['diff', run, '--against', 'trunk', ...more]);
    expect(result).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('USAGE') });
  }
});

test('[L3] without git there is nothing to name, and both ways to ask say so', async () => {
  const plain = writingProject();
  const { run: other } = await writingRun(plain);
  const result = await plain.troupe(['diff', other, '--against', 'main']);
  expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining('is in no git repository') });
  const none = await plain.troupe(['diff', other, '--branches']);
  expect(none).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('no branch to compare with') });
});
