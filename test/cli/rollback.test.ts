import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gitProject, KEPT, repositoryState, treeHash, writingProject, writingRun } from './file-projects.ts';
import type { RunView } from '../../src/protocol/run-view.ts';
import { createSandbox, type Sandbox } from './sandbox.ts';

const workspace = (sandbox: Sandbox, run: string): string => join(sandbox.home, 'runs', run, 'work');

async function view(sandbox: Sandbox, run: string): Promise<RunView> {
  return JSON.parse((await sandbox.troupe(['show', run, '--json'])).stdout) as RunView;
}

for (const [kind, make] of [
  ['a plain folder', writingProject],
  ['a git project', gitProject],
] as const) {
  test(`[PH7] in ${kind} what was applied goes back byte, mode and link exact, and the rollback can be undone`, async () => {
    const sandbox = make({
      'answers.yaml': `
rules:
  - when: { state: start }
    steps:
      - tools:
          - name: execute_terminal
            arguments: { command: "rm src/other.txt link && chmod 755 script.sh && ln -s src other-link && mkdir -p new/deep && echo x > new/deep/file && echo two >> src/kept.txt" }
      - say: Done.
  - reply: Done.
`,
      'script.sh': '#!/bin/sh\n',
    });
    symlinkSync('src/kept.txt', join(sandbox.project, 'link'));
    chmodSync(join(sandbox.project, 'script.sh'), 0o640);
    const before = treeHash(sandbox.project);
    const { run } = await writingRun(sandbox, '--apply');
    const applied = treeHash(sandbox.project);
    expect(applied).not.toBe(before);
    const back = await sandbox.troupe(['rollback', run, '--yes', '--json']);
    expect(back.code).toBe(0);
    const done = JSON.parse(back.stdout) as { readonly undo: number; readonly project: { readonly changed: string[] } };
    expect(done).toMatchObject({ kind: 'run.rolled-back', run, to: 1, workspaces: ['main'] });
    expect(done.project.changed).toContain('src/other.txt');
    expect(treeHash(sandbox.project)).toBe(before);
    const again = await sandbox.troupe(['rollback', run, '--to', String(done.undo), '--yes']);
    expect(again.code).toBe(0);
    expect(treeHash(sandbox.project)).toBe(applied);
    expect(await view(sandbox, run)).toMatchObject({ status: 'settled', outcome: 'ok', output: 'Done.' });
  });
}

test('[PH7] a rollback leaves index, HEAD, refs, settings and hooks of the repository alone', async () => {
  const sandbox = gitProject();
  const before = repositoryState(sandbox);
  const { run } = await writingRun(sandbox, '--apply');
  expect((await sandbox.troupe(['rollback', run, '--yes'])).code).toBe(0);
  expect(repositoryState(sandbox)).toEqual(before);
});

test('[PH7] what the user changed meanwhile is kept and reported, the rest goes back, and the exit code is 3', async () => {
  const sandbox = writingProject();
  const { run } = await writingRun(sandbox, '--apply');
  sandbox.write('src/made.txt', 'now it is mine\n');
  sandbox.write('src/unrelated.txt', 'untouched\n');
  const back = await sandbox.troupe(['rollback', run, '--yes']);
  expect(back.code).toBe(3);
  expect(back.stderr).toContain('kept      src/made.txt: the run had made it, and you changed it');
  expect(sandbox.read('src/made.txt')).toBe('now it is mine\n');
  expect(sandbox.read('src/unrelated.txt')).toBe('untouched\n');
  expect(sandbox.read('src/kept.txt')).toContain('\ntwo\n');
  expect((await view(sandbox, run)).projectChange).toMatchObject({ how: 'rolled-back', kept: ['src/made.txt'] });
});

test('[PH7] in a file that the user changed since, the lines of the run go and those of the user stay, in both directions', async () => {
  const sandbox = writingProject();
  const { run } = await writingRun(sandbox, '--apply');
  sandbox.write('src/kept.txt', sandbox.read('src/kept.txt').replace('eight', 'eight, mine'));
  const back = await sandbox.troupe(['rollback', run, '--yes', '--json']);
  expect(back.code).toBe(0);
  expect(sandbox.read('src/kept.txt')).toBe(KEPT.replace('eight', 'eight, mine'));
  const { undo } = JSON.parse(back.stdout) as { readonly undo: number };
  const again = await sandbox.troupe(['rollback', run, '--to', String(undo), '--yes']);
  expect(again.code).toBe(0);
  expect(sandbox.read('src/kept.txt')).toBe(KEPT.replace('two', 'TWO').replace('eight', 'eight, mine'));
  // The run is settled again: there is nothing to go on with.
  expect(again.stderr).not.toContain('continue:');
  expect(again.stderr).not.toContain('resumed from there');
});

test('[PH7] where the user changed the same lines, that is reported before the confirmation, and the user keeps them', async () => {
  const sandbox = writingProject();
  const { run } = await writingRun(sandbox, '--apply');
  sandbox.write('src/kept.txt', sandbox.read('src/kept.txt').replace('TWO', 'TWO, mine'));
  const asked = await sandbox.troupe(['rollback', run, '--files']);
  expect(asked.stderr).toContain('kept      src/kept.txt: you changed lines that the run had changed');
  expect(asked.stderr).toContain('yours | TWO, mine');
  expect(asked.stderr).toContain('  D  src/made.txt');
  const back = await sandbox.troupe(['rollback', run, '--files', '--yes', '--json']);
  expect(back.code).toBe(3);
  expect(JSON.parse(back.stdout)).toMatchObject({
    project: { conflicts: [{ path: 'src/kept.txt', kind: 'content' }] },
  });
  expect(sandbox.read('src/kept.txt')).toContain('TWO, mine');
});

test('[PH7] a project that has become too large to be looked at as a whole is rolled back file by file', async () => {
  const sandbox = writingProject();
  const { run } = await writingRun(sandbox, '--apply');
  const settings = sandbox.read('.troupe/config.yaml');
  sandbox.write('.troupe/config.yaml', `${settings}\nworkspaces: { max_files: 1 }\n`);
  sandbox.write('src/kept.txt', `mine\n${sandbox.read('src/kept.txt')}`);
  const asked = await sandbox.troupe(['rollback', run, '--files']);
  expect(asked.stderr).toMatch(/Your files in .*:\n {2}D {2}src\/made\.txt\nUnchanged, because/);
  expect(asked.stderr).toContain('kept      src/kept.txt: it was changed meanwhile');
  const back = await sandbox.troupe(['rollback', run, '--files', '--yes', '--json']);
  expect(back.code).toBe(3);
  expect(JSON.parse(back.stdout)).toMatchObject({ project: { conflicts: [{ path: 'src/kept.txt' }] } });
  expect(existsSync(join(sandbox.project, 'src/made.txt'))).toBe(false);
  expect(sandbox.read('src/kept.txt')).toBe(`mine\n${KEPT.replace('two', 'TWO')}`);
});

test('[PH7] a rollback shows what would change, and does nothing where it cannot be confirmed', async () => {
  const sandbox = writingProject();
  const { run } = await writingRun(sandbox, '--apply');
  const before = [treeHash(sandbox.project), treeHash(workspace(sandbox, run))];
  const asked = await sandbox.troupe(['rollback', run]);
  expect(asked.code).toBe(2);
  expect(asked.stderr).toContain('CONFIRM_NEEDED');
  expect(asked.stderr).toContain('D  src/made.txt');
  expect(asked.stderr).toContain('The workspace main: 2 files');
  expect(asked.stderr).toContain('from its end to its beginning');
  expect([treeHash(sandbox.project), treeHash(workspace(sandbox, run))]).toEqual(before);
});

test('[L6] the run goes back to a state and is resumed from there, with the files it had then', async () => {
  const sandbox = writingProject();
  const { run } = await writingRun(sandbox);
  const whole = treeHash(join(workspace(sandbox, run), 'src'));
  expect((await sandbox.troupe(['rollback', run, '--to', 'again', '--yes'])).code).toBe(0);
  expect(await view(sandbox, run)).toMatchObject({ status: 'running', state: 'again' });
  expect((await sandbox.troupe(['diff', run, '--stat'])).stdout).toContain('A  src/made.txt  +1 -0');
  const resumed = await sandbox.troupe(['resume', run]);
  expect(resumed).toMatchObject({ code: 0, stdout: 'Done.\n' });
  expect(treeHash(join(workspace(sandbox, run), 'src'))).toBe(whole);
});

test('[PH7] --files and --conversation each leave the other as it is', async () => {
  const sandbox = writingProject();
  const { run } = await writingRun(sandbox);
  const files = treeHash(join(workspace(sandbox, run), 'src'));
  expect((await sandbox.troupe(['rollback', run, '--conversation', '--yes'])).code).toBe(0);
  expect(treeHash(join(workspace(sandbox, run), 'src'))).toBe(files);
  expect(await view(sandbox, run)).toMatchObject({ status: 'running' });
  expect((await sandbox.troupe(['rollback', run, '--to', 'end', '--conversation', '--yes'])).code).toBe(0);
  expect((await sandbox.troupe(['rollback', run, '--files', '--yes'])).code).toBe(0);
  expect((await sandbox.troupe(['diff', run])).stderr).toBe('No file is different.\n');
});

test('[PH7] what lay in the workspace unrecorded is kept in the history before it goes', async () => {
  const sandbox = writingProject();
  const { run } = await writingRun(sandbox);
  mkdirSync(join(workspace(sandbox, run), 'stray'));
  writeFileSync(join(workspace(sandbox, run), 'stray/note'), 'found\n');
  const { stdout } = await sandbox.troupe(['rollback', run, '--files', '--yes', '--json']);
  const { undo } = JSON.parse(stdout) as { readonly undo: number };
  await sandbox.troupe(['rollback', run, '--files', '--to', String(undo), '--yes']);
  expect((await sandbox.troupe(['diff', run, '--stat'])).stdout).toContain('A  stray/note');
});

test('[L3] bad input of rollback is a fault with a code and a hint', async () => {
  const sandbox = writingProject();
  const { run } = await writingRun(sandbox);
  for (const [words, code] of [
    [[run, '--files', '--conversation'], 'USAGE'],
    [[run, '--to', 'nowhere'], 'STEP_UNKNOWN'],
    [['nobody'], 'RUN_UNKNOWN'],
  ] as const) {
    const result = await sandbox.troupe(['rollback', ...words, '--yes']);
    expect({ words, code: result.code, isNamed: result.stderr.includes(code) }).toEqual({
      words,
      code: 2,
      isNamed: true,
    });
    expect(result.stderr).toContain('hint:');
  }
});

test('[PH7] a setup that fails does not prevent a rollback', async () => {
  const sandbox = writingProject();
  const before = treeHash(sandbox.project);
  const settings = join(sandbox.home, '.config/troupe');
  mkdirSync(settings, { recursive: true });
  writeFileSync(join(settings, 'config.yaml'), "setup: 'exit 7'\n");
  const ran = await sandbox.troupe(['run', 'two_steps', 'Write it', '--no-setup', '--apply']);
  expect(ran.code).toBe(0);
  expect(treeHash(sandbox.project)).not.toBe(before);
  const back = await sandbox.troupe(['rollback', 'last', '--yes']);
  expect(back).toMatchObject({ code: 0 });
  expect(treeHash(sandbox.project)).toBe(before);
});

test('[PH7] a rollback lists only what changes: workspaces of steps that were not there yet are not put back', async () => {
  const sandbox = createSandbox();
  await sandbox.troupe(['init']);
  expect((await sandbox.troupe(['run', 'quest', 'Greet people', '--no-input', '--apply'])).code).toBe(0);
  const { items } = JSON.parse((await sandbox.troupe(['list', '--json'])).stdout) as {
    readonly items: readonly { readonly run: string }[];
  };
  const [info] = items;
  const steps = join(sandbox.home, 'runs', info?.run ?? '', 'workspaces');
  const before = treeHash(steps);
  const back = await sandbox.troupe(['rollback', 'last', '--yes']);
  expect(back.code).toBe(0);
  expect(back.stderr.match(/^The workspace .*$/gm)).toEqual(['The workspace main: 2 files']);
  expect(back.stderr).toMatch(/^Did not exist then; created again when it is needed: t\d+\.shared, t\d+\.shared$/m);
  expect(treeHash(steps)).toBe(before);
  const again = await sandbox.troupe(['rollback', 'last', '--yes']);
  expect(again.stderr).toContain('Nothing to roll back');
  expect((await sandbox.troupe(['resume', 'last', '--no-input'])).code).toBe(0);
});

test('[PH7] rollback --dry-run says what would go back, as text or data, and does nothing', async () => {
  const sandbox = gitProject();
  const { run } = await writingRun(sandbox, '--apply');
  const before = treeHash(sandbox.project);
  const seen = await view(sandbox, run);
  const printed = await sandbox.troupe(['rollback', run, '--dry-run']);
  expect([printed.code, printed.stderr]).toEqual([0, 'Nothing was done.\n']);
  expect(printed.stdout).toContain('src/made.txt');
  const plan = JSON.parse((await sandbox.troupe(['rollback', run, '--dry-run', '--json'])).stdout) as {
    readonly project: { readonly files: readonly { readonly path: string }[] };
  };
  expect(plan).toMatchObject({
    kind: 'rollback.plan',
    run,
    to: 1,
    project: { conflicts: [] },
    workspaces: [{ workspace: 'main' }],
    conversation: { from: 'its end', isSettled: false },
  });
  expect(plan.project.files.map(({ path }) => path).toSorted()).toEqual(['src/kept.txt', 'src/made.txt']);
  expect(treeHash(sandbox.project)).toBe(before);
  expect((await view(sandbox, run)).seq).toBe(seen.seq);
  expect((await sandbox.troupe(['rollback', run, '--yes'])).code).toBe(0);
  const again = await sandbox.troupe(['rollback', run, '--dry-run', '--json']);
  expect(JSON.parse(again.stdout)).toMatchObject({ kind: 'rollback.unchanged', run });
});
