import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gitProject, git, KEPT, lineOf, WAIT, writingProject, writingRun } from './file-projects.ts';
import { jsonLines } from './sandbox.ts';

test('[L10] a run in the background is over for those who watch when its branch is there', async () => {
  const sandbox = gitProject();
  const { stdout } = await sandbox.troupe(['run', 'two_steps', 'Write it', '--detach']);
  const run = stdout.trim();
  const watched = await sandbox.troupe(['watch', run]);
  expect(watched.code).toBe(0);
  expect(git(sandbox, 'rev-parse', '--verify', `troupe/${run}`)).toMatch(/^[0-9a-f]{40}\n$/);
  expect(watched.stderr).toContain(`The result waits on the branch troupe/${run}`);
});

test('[PD7] a check that fails in the background is seen by show, watch and logs, and the way to take the result is reported', async () => {
  const sandbox = writingProject();
  const { stdout } = await sandbox.troupe([
    'run',
    'two_steps',
    'Write it',
    '--detach',
    '--apply',
    '--verify',
    'exit 7',
  ]);
  const run = stdout.trim();
  const watched = await sandbox.troupe(['watch', run]);
  expect(watched.code).toBe(3);
  for (const text of [
    watched.stderr,
    (await sandbox.troupe(['show', run])).stdout,
    (await sandbox.troupe(['logs', run])).stdout,
  ]) {
    expect(text).toContain('it does not pass `exit 7`');
  }
  expect(sandbox.read('src/kept.txt')).toBe(KEPT);
  const failed = await sandbox.troupe(['deliver', run, '--apply', '--verify', 'exit 7']);
  expect(failed.code).toBe(3);
  expect(failed.stderr).toContain(`take it marked:        troupe deliver ${run} --unverified`);
});

test('[L10] without --apply, too, a result in conflict ends the run with 3, and what it made waits on its branch', async () => {
  const sandbox = gitProject({
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
  const running = sandbox.start(['run', 'two_steps', 'Write it', '--json']);
  const { run } = (await lineOf(running, 'call.started')) as { readonly run: string };
  sandbox.write('src/kept.txt', KEPT.replace('two', 'my two'));
  git(sandbox, 'commit', '-qam', 'mine', '--no-verify');
  writeFileSync(join(sandbox.home, 'runs', run, 'work/go'), '');
  const { code, stdout } = await running.ended;
  expect(code).toBe(3);
  expect(jsonLines(stdout).at(-2)).toMatchObject({ kind: 'result.branch', conflicts: [{ path: 'src/kept.txt' }] });
  expect(git(sandbox, 'show', `troupe/${run}:src/kept.txt`)).toContain('TWO');
});

test('[L3] a place that cannot be written is reported before anything is done', async () => {
  const sandbox = writingProject();
  for (const out of ['src/kept.txt', 'src/kept.txt/below']) {
    const refused = await sandbox.troupe(['run', 'two_steps', 'Write it', '--out', out]);
    expect({ out, code: refused.code, isNamed: refused.stderr.includes('NOT_WRITABLE') }).toEqual({
      out,
      code: 2,
      isNamed: true,
    });
  }
  expect((await sandbox.troupe(['list', '--json'])).stdout).not.toContain('"run":');
  const { run } = await writingRun(sandbox);
  for (const [file, code] of [
    ['src', 'NOT_WRITABLE'],
    ['src/kept.txt/x.patch', 'NOT_WRITABLE'],
    ['src/kept.txt', 'FILE_EXISTS'],
  ] as const) {
    const refused = await sandbox.troupe(['deliver', run, '--patch', file, '--verify', 'exit 7']);
    expect({ file, code: refused.code, isNamed: refused.stderr.includes(code) }).toEqual({
      file,
      code: 2,
      isNamed: true,
    });
  }
});
