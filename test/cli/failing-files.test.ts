import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gitProject, lineOf, treeHash, WAIT, writingProject } from './file-projects.ts';
import { TWO_STEPS } from './projects.ts';
import { jsonLines } from './sandbox.ts';

const FAILING = {
  ...TWO_STEPS,
  on_failure: 'rollback',
  states: TWO_STEPS.states.map((state) =>
    state.name === 'again'
      ? { ...state, transition: [{ target: 'stop', condition: "common_data.task === 'never'" }] }
      : state,
  ),
};

test('[PH7] a run that fails puts its files back where its workflow says so, and nothing reaches the project', async () => {
  const sandbox = gitProject({ '.troupe/workflows/two_steps.json': JSON.stringify(FAILING) });
  const before = treeHash(sandbox.project);
  const failed = await sandbox.troupe(['run', 'two_steps', 'Write it', '--apply']);
  expect(failed.code).toBe(1);
  expect(failed.stderr).toContain('failed: the files go back to what they were before the run');
  expect(failed.stderr).toContain('the workspace main was put back');
  expect(treeHash(sandbox.project)).toBe(before);
  expect((await sandbox.troupe(['diff', 'last'])).stderr).toBe('No file is different.\n');
  expect((await sandbox.troupe(['diff', 'last', '--to', 'again', '--stat'])).stdout).toContain('A  src/made.txt');
});

test('[PH7] a run that fails without such a wish keeps its files to look at, and applies nothing', async () => {
  const { on_failure: _wish, ...plain } = FAILING;
  const sandbox = writingProject({ '.troupe/workflows/two_steps.json': JSON.stringify(plain) });
  const before = treeHash(sandbox.project);
  const failed = await sandbox.troupe(['run', 'two_steps', 'Write it', '--apply']);
  expect(failed.code).toBe(1);
  expect(failed.stderr).toMatch(/Changed files wait in the workspace main:\n\s+look:  troupe diff \w+/);
  expect(treeHash(sandbox.project)).toBe(before);
});

test('[L6] killed with -9 in the middle of an agent’s writes, a run resumes from the exact files', async () => {
  const sandbox = writingProject({
    'answers.yaml': `
rules:
  - when: { state: start }
    steps:
      - tools: [{ name: write_file, arguments: { path: first.txt, content: "first\\n" } }]
      - tools: [{ name: execute_terminal, arguments: { command: "echo half >> half.txt; echo more >> first.txt; ${WAIT}" } }]
      - say: Done.
  - reply: Done.
`,
  });
  const running = sandbox.start(['run', 'two_steps', 'Write it', '--json']);
  const { run } = (await lineOf(running, 'call.started')) as { readonly run: string };
  const folder = join(sandbox.home, 'runs', run, 'work');
  while (!existsSync(join(folder, 'half.txt'))) await nextTurn();
  running.child.kill('SIGKILL');
  await running.ended;
  const resumed = sandbox.start(['resume', run, '--json']);
  // Whatever lies there when the run is taken up goes; only a file that comes later lets the command end.
  const knocking = setInterval(() => existsSync(folder) && writeFileSync(join(folder, 'go'), ''), 100);
  const { code, stdout } = await resumed.ended;
  clearInterval(knocking);
  expect(code).toBe(0);
  expect(jsonLines(stdout).at(-1)).toMatchObject({ outcome: 'ok' });
  // Where nothing can be done twice the command was done once; elsewhere its outcome was unknown, and what it did is undone.
  const content = (name: string): string =>
    existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '';
  expect(['first\nmore\n|half\n', 'first\n|']).toContain(`${content('first.txt')}|${content('half.txt')}`);
});

/** Lets other work of this process go on. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
