import { existsSync, mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  git,
  gitProject,
  KEPT,
  lineOf,
  repositoryState,
  treeHash,
  WAIT,
  writingProject,
  writingRun,
} from './file-projects.ts';
import { jsonLines, type Sandbox } from './sandbox.ts';

const troupeBranches = ({ project }: Sandbox): readonly string[] => {
  const folder = join(project, '.git/refs/heads/troupe');
  return existsSync(folder) ? readdirSync(folder) : [];
};

test('[PD7] a run in a git project leaves its result as a branch, and touches nothing else', async () => {
  const sandbox = gitProject();
  const before = repositoryState(sandbox);
  const { run, code, stdout } = await writingRun(sandbox);
  expect(code).toBe(0);
  expect(repositoryState(sandbox)).toEqual(before);
  expect(jsonLines(stdout).at(-2)).toMatchObject({ kind: 'result.branch', run, branch: `troupe/${run}` });
  const branch = `troupe/${run}`;
  expect(git(sandbox, 'diff', '--name-status', `trunk..${branch}`)).toBe('M\tsrc/kept.txt\nA\tsrc/made.txt\n');
  expect(git(sandbox, 'rev-parse', `${branch}^`)).toBe(git(sandbox, 'rev-parse', 'trunk'));
  expect(git(sandbox, 'log', '-1', '--format=%an %s', branch)).toBe('Ada Write it\n');
  expect(existsSync(join(sandbox.home, 'hook-ran'))).toBe(false);
});

test('[PD7] the command to apply the result is printed, and a run that changed nothing leaves no branch', async () => {
  const sandbox = gitProject();
  const printed = await sandbox.troupe(['run', 'two_steps', 'Write it']);
  expect(printed.stderr).toMatch(/troupe deliver \w+ --apply/);
  expect(printed.stdout).toBe('Done.\n');
  const quiet = gitProject({ 'answers.yaml': 'rules: [{ reply: Nothing to do. }]' });
  await writingRun(quiet);
  expect(troupeBranches(quiet)).toEqual([]);
});

test('[PD7] outside git the result is a patch beside the run, and nothing is written to the project', async () => {
  const sandbox = writingProject();
  const before = treeHash(sandbox.project);
  const { run, stdout } = await writingRun(sandbox);
  const file = join(sandbox.home, 'runs', run, 'result.patch');
  expect(jsonLines(stdout).at(-2)).toMatchObject({ kind: 'result.patch', run, file });
  expect(treeHash(sandbox.project)).toBe(before);
  expect((await sandbox.troupe(['deliver', run])).stderr).toContain(file);
});

for (const [kind, make] of [
  ['a plain folder', writingProject],
  ['a git project', gitProject],
] as const) {
  test(`[PH7] in ${kind} run --apply changes the files, makes no ref, and one command takes it back exactly`, async () => {
    const sandbox = make();
    const before = treeHash(sandbox.project);
    const { run, code, stdout, stderr } = await writingRun(sandbox, '--apply', '--verify', 'grep -q TWO src/kept.txt');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const applied = jsonLines(stdout).at(-2) as { readonly kind: string; readonly undoTo: number };
    expect(applied).toMatchObject({ kind: 'result.applied', run });
    expect(sandbox.read('src/made.txt')).toBe('made by the run\nand changed again\n');
    expect(troupeBranches(sandbox)).toEqual([]);
    const undo = await sandbox.troupe(['rollback', run, '--to', String(applied.undoTo), '--files', '--yes']);
    expect(undo.code).toBe(0);
    expect(treeHash(sandbox.project)).toBe(before);
  });
}

test('[PD7] applying keeps what the user changed meanwhile, and never touches index, HEAD or refs', async () => {
  const sandbox = gitProject();
  const { run } = await writingRun(sandbox);
  sandbox.write('src/kept.txt', KEPT.replace('eight', 'EIGHT'));
  sandbox.write('mine.txt', 'made meanwhile\n');
  const { files: _files, ...before } = repositoryState(sandbox);
  const merged = await sandbox.troupe(['deliver', run, '--apply', '--json']);
  expect(JSON.parse(merged.stdout)).toMatchObject({ kind: 'result.applied', run, project: sandbox.project });
  expect(sandbox.read('src/kept.txt')).toBe(KEPT.replace('two', 'TWO').replace('eight', 'EIGHT'));
  expect(sandbox.read('mine.txt')).toBe('made meanwhile\n');
  expect(repositoryState(sandbox)).toMatchObject(before);
  const again = await sandbox.troupe(['deliver', run, '--apply', '--json']);
  expect(again).toMatchObject({
    code: 0,
    stdout: `${JSON.stringify({ kind: 'result.unchanged', run, target: 'apply' })}\n`,
  });
  expect((await sandbox.troupe(['show', run])).stdout).toMatch(/files {5}put into the project by/);
});

test('[PD7] a conflict is listed with both sides, changes nothing, and ends with 3', async () => {
  const sandbox = writingProject();
  const { run } = await writingRun(sandbox);
  sandbox.write('src/kept.txt', KEPT.replace('two', 'my two'));
  const before = treeHash(sandbox.project);
  const printed = await sandbox.troupe(['deliver', run, '--apply']);
  expect(printed.code).toBe(3);
  expect(printed.stderr).toContain('conflict  src/kept.txt');
  expect(printed.stderr).toContain('yours | my two');
  expect(printed.stderr).toContain('run   | TWO');
  const typed = await sandbox.troupe(['deliver', run, '--apply', '--json']);
  expect(typed.code).toBe(3);
  expect(JSON.parse(typed.stdout)).toMatchObject({
    kind: 'result.conflict',
    conflicts: [
      {
        path: 'src/kept.txt',
        kind: 'content',
        base: { text: KEPT },
        ours: { text: KEPT.replace('two', 'my two') },
        theirs: { text: KEPT.replace('two', 'TWO') },
      },
    ],
  });
  expect(treeHash(sandbox.project)).toBe(before);
});

test('[PD7] run --apply in conflict with what the user wrote meanwhile ends with 3 and loses nothing', async () => {
  const sandbox = writingProject({
    'answers.yaml': `
rules:
  - when: { state: start }
    steps:
      - tools: [{ name: edit_file, arguments: { path: src/kept.txt, old: two, new: TWO } }]
      - tools: [{ name: execute_terminal, arguments: { command: "${WAIT}" } }]
      - say: Written.
  - reply: Done.
`,
  });
  const running = sandbox.start(['run', 'two_steps', 'Write it', '--json', '--apply']);
  const { run } = (await lineOf(running, 'call.started')) as { readonly run: string };
  sandbox.write('src/kept.txt', KEPT.replace('two', 'my two'));
  writeFileSync(join(sandbox.home, 'runs', run, 'work/go'), '');
  const { code, stdout } = await running.ended;
  expect(code).toBe(3);
  expect(jsonLines(stdout).at(-2)).toMatchObject({ kind: 'result.conflict' });
  expect(jsonLines(stdout).at(-1)).toMatchObject({ kind: 'run.settled', outcome: 'ok' });
  expect(sandbox.read('src/kept.txt')).toBe(KEPT.replace('two', 'my two'));
});

test('[PD7] merged files that fail the check are not applied, and the check never sees the project itself', async () => {
  const sandbox = writingProject();
  const { run } = await writingRun(sandbox);
  const before = treeHash(sandbox.project);
  const check = 'echo checked > src/made.txt; touch stray; cat src/other.txt; exit 7';
  const failed = await sandbox.troupe(['deliver', run, '--apply', '--verify', check, '--json']);
  expect(failed.code).toBe(3);
  expect(JSON.parse(failed.stdout)).toMatchObject({ kind: 'result.not-verified', exitCode: 7, output: 'other\n' });
  expect(treeHash(sandbox.project)).toBe(before);
  const passed = await sandbox.troupe([
    'deliver',
    run,
    '--apply',
    '--verify',
    'grep -q again src/made.txt && test ! -e stray',
  ]);
  expect(passed.code).toBe(0);
});

test('[L4] [PD7] files that were taken once as not verified are not applied later without that word', async () => {
  const sandbox = gitProject();
  const { run } = await writingRun(sandbox);
  expect((await sandbox.troupe(['deliver', run, '--verify', 'exit 7'])).code).toBe(3);
  const taken = await sandbox.troupe(['deliver', run, '--unverified']);
  expect(taken).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(`troupe deliver ${run} --unverified --apply`),
  });
  const before = treeHash(sandbox.project);
  const shown = (await sandbox.troupe(['show', run])).stdout;
  expect(shown).toContain('NOT VERIFIED: The files did not pass `exit 7`.');
  expect(shown).toContain(`troupe deliver ${run} --apply --unverified`);
  const refused = await sandbox.troupe(['deliver', run, '--apply']);
  expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining('RESULT_NOT_VERIFIED') });
  expect(treeHash(sandbox.project)).toBe(before);
  expect((await sandbox.troupe(['deliver', run, '--apply', '--verify', 'true'])).code).toBe(0);
  expect((await sandbox.troupe(['show', run])).stdout).not.toContain('NOT VERIFIED');
});

test('[PD7] a branch and a patch can be named; what is there already is not overwritten', async () => {
  const sandbox = gitProject();
  const { run } = await writingRun(sandbox);
  expect((await sandbox.troupe(['deliver', run, '--branch', 'result/one'])).code).toBe(0);
  expect(git(sandbox, 'rev-parse', '--verify', 'result/one')).toMatch(/^[0-9a-f]{40}\n$/);
  expect((await sandbox.troupe(['deliver', run, '--patch', 'out.patch'])).code).toBe(0);
  git(sandbox, 'apply', '--check', 'out.patch');
  for (const [words, code] of [
    [['--branch', 'a..b'], 'BRANCH_NAME'],
    [['--branch', 'trunk'], 'BRANCH_EXISTS'],
    [['--patch', 'out.patch'], 'FILE_EXISTS'],
    [['--patch', 'x.patch', '--apply'], 'USAGE'],
  ] as const) {
    const refused = await sandbox.troupe(['deliver', run, ...words]);
    expect({ words, code: refused.code, isNamed: refused.stderr.includes(code) }).toEqual({
      words,
      code: 2,
      isNamed: true,
    });
    expect(refused.stderr).toContain('hint:');
  }
});

test('[L3] a project that is gone is refused', async () => {
  const sandbox = writingProject();
  const { run } = await writingRun(sandbox);
  renameSync(sandbox.project, `${sandbox.project}-moved`);
  const gone = await sandbox.troupe(['deliver', run, '--apply'], { folder: sandbox.home });
  expect(gone).toMatchObject({ code: 2, stderr: expect.stringContaining('PROJECT_MISSING') });
  renameSync(`${sandbox.project}-moved`, sandbox.project);
});

test('[C29] a link that the user put in the way is not written through', async () => {
  const sandbox = writingProject();
  const { run } = await writingRun(sandbox);
  const outside = join(sandbox.home, 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'made.txt'), 'precious\n');
  renameSync(join(sandbox.project, 'src'), join(sandbox.project, 'old'));
  symlinkSync(outside, join(sandbox.project, 'src'));
  const before = treeHash(outside);
  expect((await sandbox.troupe(['deliver', run, '--apply'])).code).toBe(3);
  expect(treeHash(outside)).toBe(before);
});

test('[U1] --out still copies what the run made', async () => {
  const sandbox = writingProject();
  const { stderr, code } = await sandbox.troupe(['run', 'two_steps', 'Write it', '--out', 'result']);
  expect(code).toBe(0);
  expect(stderr).toContain('wrote result/src/made.txt');
  expect(sandbox.read('result/src/kept.txt')).toContain('TWO');
});
