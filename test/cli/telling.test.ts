import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RunView } from '../../src/protocol/run-view.ts';
import { gitProject, WRITING, writingProject, writingRun } from './file-projects.ts';
import { jsonLines, type Sandbox } from './sandbox.ts';

/** What a person sees of a run: its folders, its questions, its sub-agents, its forks. */

async function view(sandbox: Sandbox, run = 'last'): Promise<RunView> {
  return JSON.parse((await sandbox.troupe(['show', run, '--json'])).stdout) as RunView;
}

const ASKS = JSON.stringify({
  worker: { level: 'base', systemMessage: 'You work.', ask: ['write_file', 'edit_file'] },
});

const TWO_AT_ONCE = `
rules:
  - when: { state: start }
    steps:
      - tools:
          - { name: write_file, arguments: { path: one.txt, content: one } }
          - { name: write_file, arguments: { path: two.txt, content: two } }
      - say: Written.
  - when: { state: again }
    reply: Done.
`;

test('[PH3] questions have short names, and an answer that may be for two lists both with the exact commands', async () => {
  const sandbox = writingProject({ 'answers.yaml': TWO_AT_ONCE, '.troupe/roles/roles.json': ASKS });
  const { run, stderr } = await writingRun(sandbox);
  expect(stderr).toContain('The run waits for 2 answers.');
  const [first] = (await view(sandbox)).questions;
  expect(first?.name).toBe('q1');
  const unclear = await sandbox.troupe(['answer', 'last', 'yes']);
  expect(unclear.code).toBe(2);
  for (const name of ['q1', 'q2']) expect(unclear.stderr).toContain(`troupe answer ${run} ${name} yes`);
  const second = await sandbox.troupe(['answer', run, 'q2', 'no']);
  expect(second.stderr).toMatch(/answered q2: no/);
  expect(second).toMatchObject({ code: 3, stderr: expect.stringContaining(`troupe answer ${run} q1 yes   # or: no`) });
  const closed = await sandbox.troupe(['answer', run, 'q2', 'yes']);
  expect(closed).toMatchObject({ code: 2, stderr: expect.stringContaining('QUESTION_CLOSED') });
  expect(await sandbox.troupe(['answer', run, first?.id ?? '', 'yes'])).toMatchObject({ code: 0, stdout: 'Done.\n' });
});

test('[U1] show tells a folder that was removed from one that was never made, and a run from before its end', async () => {
  const sandbox = gitProject();
  const { run } = await writingRun(sandbox);
  const text = (await sandbox.troupe(['show', run])).stdout;
  expect(text).toContain(`result    waits on the branch troupe/${run}`);
  rmSync(join(sandbox.home, 'runs', run), { recursive: true });
  expect((await sandbox.troupe(['show', run])).stdout).toMatch(/^folder .*\(removed; restored when/m);
  rmSync(join(sandbox.home, 'stores'), { recursive: true });
  expect((await sandbox.troupe(['show', run])).stdout).toMatch(
    /^folder .*\(removed, and its files are no longer stored/m,
  );
  const silent = gitProject({ 'answers.yaml': 'rules: [{ reply: Nothing to do. }]' });
  await silent.troupe(['run', 'two_steps', 'x']);
  expect((await silent.troupe(['show', 'last'])).stdout).toMatch(/^folder .*\(not made: no agent has used a tool\)/m);
});

test('[U1] a run does not grow longer when its result is taken later', async () => {
  const sandbox = gitProject();
  const { run } = await writingRun(sandbox);
  const { endedAt } = await view(sandbox, run);
  await sandbox.troupe(['deliver', run, '--apply']);
  const after = await view(sandbox, run);
  expect(after.updatedAt).toBeGreaterThan(endedAt ?? Infinity);
  expect(after.endedAt).toBe(endedAt);
});

const LEAD = JSON.stringify({
  worker: { level: 'base', systemMessage: 'You lead.', tasks: ['helper'] },
  helper: { level: 'base', systemMessage: 'You help.' },
});

const HELPERS = `
rules:
  - when: { agent: worker, state: start }
    steps:
      - tools:
          - { name: task, arguments: { prompt: Do one, role: helper } }
          - { name: task, arguments: { prompt: Do two, role: helper } }
      - say: Both are done.
  - when: { agent: helper, contains: one }
    reply: One is done.
  - when: { agent: helper }
    reply: Two is done.
  - reply: Done.
`;

test('[Q8] lines of parallel sub-agents can be distinguished, while they work and afterwards', async () => {
  const sandbox = writingProject({ 'answers.yaml': HELPERS, '.troupe/roles/roles.json': LEAD });
  const { stderr } = await sandbox.troupe(['run', 'two_steps', 'Lead']);
  const watched = await sandbox.troupe(['watch', 'last']);
  for (const text of [stderr, watched.stderr]) {
    expect(text).toContain('[worker › helper#1] starts: Do one\n');
    expect(text).toContain('[worker › helper#1] One is done.');
    expect(text).toContain('[worker › helper#2] Two is done.');
  }
  const logs = await sandbox.troupe(['logs', 'last']);
  expect(logs.stdout).toMatch(/worker › helper#2: Two is done\./);
  const ofHelpers = (await sandbox.troupe(['logs', 'last', '--agent', 'helper'])).stdout;
  for (const text of ['One is done', 'Two is done']) expect(ofHelpers).toContain(text);
});

test('[U1] a fork says of which run it is one, at which step, and at which record it really left it', async () => {
  const sandbox = writingProject();
  const { run } = await writingRun(sandbox);
  const made = await sandbox.troupe(['fork', run, '--at', '5', '--no-run', '--json']);
  const [line] = jsonLines(made.stdout);
  const fork = await view(sandbox, String(line?.['run']));
  expect(line?.['from']).toEqual(fork.forkedFrom);
  expect(fork.title).toBe(`Write it (fork of ${run} at ${fork.state})`);
  expect((await sandbox.troupe(['show', fork.run])).stdout).toContain(`fork of   ${run} at record`);
  const again = await sandbox.troupe(['fork', fork.run, '--at', 'start', '--no-run']);
  expect((await view(sandbox, again.stdout.trim())).title).toBe(`Write it (fork of ${fork.run} at start)`);
  // No record was named, so none has to be explained.
  expect(again.stderr).not.toContain('in the middle of a step');
});

test('[U1] a fork with another input has its own title, and one may be given', async () => {
  const sandbox = writingProject();
  const { run } = await writingRun(sandbox);
  const other = await sandbox.troupe(['fork', run, '--at', 'start', '--input', 'task=Another', '--no-run']);
  expect((await view(sandbox, other.stdout.trim())).title).toBe('Another');
  expect((await sandbox.troupe(['fork', run, '--at', 'start', '--title', 'My try', '--no-run'])).code).toBe(0);
  expect((await sandbox.troupe(['list'])).stdout).toContain('My try');
});

test('[SM11] a fork leases its own resources and writes them down', async () => {
  const sandbox = writingProject({
    'answers.yaml': WRITING,
    '.troupe/config.yaml':
      'models:\n  base: { provider: scripted, scenario: answers.yaml }\nresources:\n  test_db: { kind: name, pattern: "db_{n}", count: 4 }\n',
  });
  const { run, stdout } = await writingRun(sandbox);
  const leased = (text: string) => jsonLines(text).filter(({ kind }) => kind === 'resource.leased');
  expect(leased(stdout)).toMatchObject([{ run, values: { test_db: expect.stringMatching(/^db_\d$/) } }]);
  const forked = await sandbox.troupe(['fork', run, '--at', 'again', '--json']);
  const fork = String(jsonLines(forked.stdout)[0]?.['run']);
  expect(leased(forked.stdout)).toMatchObject([{ run: fork, workspace: 'main' }]);
});
