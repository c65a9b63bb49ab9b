import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RunView } from '../../src/protocol/run-view.ts';
import { lineOf, treeHash, WAIT, WRITING, writingProject, writingRun } from './file-projects.ts';
import { jsonLines, type Running, type Sandbox } from './sandbox.ts';

async function view(sandbox: Sandbox, run: string): Promise<RunView> {
  return JSON.parse((await sandbox.troupe(['show', run, '--json'])).stdout) as RunView;
}

const src = (sandbox: Sandbox, run: string): string => treeHash(join(sandbox.home, 'runs', run, 'work/src'));

test('[U1] a fork goes on from a state with its files, and neither run changes the other', async () => {
  const sandbox = writingProject();
  const { run } = await writingRun(sandbox);
  const parent = { files: src(sandbox, run), view: await view(sandbox, run) };
  const forked = await sandbox.troupe(['fork', run, '--at', 'again', '--json']);
  expect(forked.code).toBe(0);
  const [first, ...rest] = jsonLines(forked.stdout);
  expect(first).toMatchObject({ kind: 'run.forked', from: { run } });
  expect(rest.at(-1)).toMatchObject({ kind: 'run.settled', outcome: 'ok', output: 'Done.' });
  const fork = String(first?.['run']);
  expect(src(sandbox, fork)).toBe(parent.files);
  expect(src(sandbox, run)).toBe(parent.files);
  const { forks, ...same } = await view(sandbox, run);
  expect(forks).toEqual([fork]);
  expect(same).toEqual(parent.view);
  expect(await view(sandbox, fork)).toMatchObject({ forkedFrom: { run }, usage: { calls: 2 } });
  expect((await sandbox.troupe(['show', fork])).stdout).toMatch(new RegExp(`fork of {3}${run} at record \\d+`));
});

test('[U1] a fork may have another input and another model, and may be left for later', async () => {
  const sandbox = writingProject({
    '.troupe/config.yaml':
      'models:\n  base: { provider: scripted, scenario: answers.yaml }\n  other: { provider: scripted, scenario: other.yaml }\n',
    'other.yaml': 'rules: [{ reply: The other one. }]',
  });
  const { run } = await writingRun(sandbox);
  const made = await sandbox.troupe([
    'fork',
    run,
    '--at',
    'start',
    '--input',
    'task=Anew',
    '--model',
    'base=other',
    '--no-run',
  ]);
  expect(made.code).toBe(0);
  const fork = made.stdout.trim();
  expect(await view(sandbox, fork)).toMatchObject({ status: 'running', driven: false, input: { task: 'Anew' } });
  expect(await sandbox.troupe(['resume', fork])).toMatchObject({ code: 0, stdout: 'The other one.\n' });
  expect((await view(sandbox, fork)).contexts[0]?.messages[0]?.content).toBe('Anew');
  expect((await view(sandbox, run)).input).toEqual({ task: 'Write it' });
});

test('[U1] a fork can go on in the background, and tells its id at once', async () => {
  const sandbox = writingProject();
  const { run } = await writingRun(sandbox);
  const { code, stdout } = await sandbox.troupe(['fork', run, '--at', 'again', '--detach']);
  expect(code).toBe(0);
  expect((await sandbox.troupe(['watch', stdout.trim()])).code).toBe(0);
  expect(await view(sandbox, stdout.trim())).toMatchObject({ outcome: 'ok', forkedFrom: { run } });
});

test('[L3] bad input of fork is a fault with a code and a hint', async () => {
  const sandbox = writingProject();
  const { run } = await writingRun(sandbox);
  for (const [words, code] of [
    [[run], 'USAGE'],
    [[run, '--at', 'nowhere'], 'STEP_UNKNOWN'],
    [[run, '--at', 'end'], 'FORK_AT_END'],
    [[run, '--at', 'again', '--input', 'tusk=x'], 'INPUT_'],
    [[run, '--at', 'again', '--model', 'base=nobody'], 'MODEL_UNKNOWN'],
    [['nobody', '--at', '1'], 'RUN_UNKNOWN'],
  ] as const) {
    const result = await sandbox.troupe(['fork', ...words]);
    expect({ words, code: result.code, isNamed: result.stderr.includes(code) }).toEqual({
      words,
      code: 2,
      isNamed: true,
    });
  }
  expect(JSON.parse((await sandbox.troupe(['list', '--json'])).stdout)).toMatchObject({ items: [{}] });
});

const SLOW = WRITING.replace(
  '- say: Written.',
  `- tools: [{ name: execute_terminal, arguments: { command: "${WAIT}" } }]\n      - say: Written.`,
);

/** A run whose agent has called for the command that waits: a pause cannot come before it any more. */
async function atWork(): Promise<{ readonly sandbox: Sandbox; readonly running: Running; readonly run: string }> {
  const sandbox = writingProject({ 'answers.yaml': SLOW });
  const running = sandbox.start(['run', 'two_steps', 'Write it', '--json']);
  await lineOf(running, 'call.started');
  const { run } = await lineOf(running, 'call.answered');
  return { sandbox, running, run: String(run) };
}

test('[L10] a run that is paused elsewhere comes to rest, its process ends with 3, and it goes on when resumed', async () => {
  const { sandbox, running, run } = await atWork();
  for (const words of [
    ['rollback', run, '--yes'],
    ['deliver', run, '--apply'],
    ['deliver', run],
    ['discard', run, '--yes'],
    ['archive', run],
  ]) {
    const refused = await sandbox.troupe(words);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(`RUN_OPEN: Run ${run} is not over.`) });
    expect(refused.stderr).toContain(`troupe watch ${run}`);
  }
  const paused = await sandbox.troupe(['pause', run, '--reason', 'lunch']);
  expect(paused).toMatchObject({ code: 0, stderr: `Paused. Continue with: troupe resume ${run}\n` });
  writeFileSync(join(sandbox.home, 'runs', run, 'work/go'), '');
  const { code, stdout, stderr } = await running.ended;
  expect(code).toBe(3);
  expect(stderr).toContain(`troupe resume ${run}`);
  expect(jsonLines(stdout).at(-1)).toMatchObject({ kind: 'run.waiting', status: 'paused', outcome: 'blocked' });
  expect(await view(sandbox, run)).toMatchObject({ status: 'paused', held: { reason: 'lunch' } });
  expect((await sandbox.troupe(['list'])).stdout).toContain('paused');
  expect((await sandbox.troupe(['watch', run])).code).toBe(3);
  const resumed = await sandbox.troupe(['resume', run]);
  expect(resumed).toMatchObject({ code: 0, stdout: 'Done.\n' });
  expect(resumed.stderr).toContain('continues');
});

test('[L10] a run that is paused and still driven goes on there when it is resumed', async () => {
  const { sandbox, running, run } = await atWork();
  expect((await sandbox.troupe(['pause', run])).code).toBe(0);
  const resumed = await sandbox.troupe(['resume', run]);
  expect(resumed).toMatchObject({ code: 0, stderr: expect.stringContaining(`troupe watch ${run}`) });
  writeFileSync(join(sandbox.home, 'runs', run, 'work/go'), '');
  const { code, stdout } = await running.ended;
  expect(code).toBe(0);
  expect(jsonLines(stdout).at(-1)).toMatchObject({ kind: 'run.settled', outcome: 'ok' });
});

test('[L10] resume --detach of a run that is paused and still driven sends a message to its process, and is done', async () => {
  const { sandbox, running, run } = await atWork();
  expect((await sandbox.troupe(['pause', run])).code).toBe(0);
  const resumed = await sandbox.troupe(['resume', run, '--detach', '--json']);
  expect([resumed.code, jsonLines(resumed.stdout)]).toEqual([0, [{ kind: 'run.resumed', run }]]);
  writeFileSync(join(sandbox.home, 'runs', run, 'work/go'), '');
  expect((await running.ended).code).toBe(0);
});

test('[L10] a run that no process drives is marked paused without any of its work being started', async () => {
  const sandbox = writingProject();
  const { run } = await writingRun(sandbox);
  await sandbox.troupe(['rollback', run, '--to', 'again', '--yes']);
  const { usage } = await view(sandbox, run);
  expect((await sandbox.troupe(['pause', run])).code).toBe(0);
  expect((await sandbox.troupe(['pause', run])).stderr).toContain('paused already');
  expect(await view(sandbox, run)).toMatchObject({ status: 'paused', usage });
  expect((await sandbox.troupe(['resume', run])).code).toBe(0);
  const settled = await sandbox.troupe(['pause', run]);
  expect(settled).toMatchObject({ code: 2, stderr: expect.stringContaining('RUN_SETTLED') });
});

test('[PH3] a tool that needs a word waits for it, and is answered like any other question', async () => {
  const sandbox = writingProject({
    '.troupe/roles/roles.json': JSON.stringify({
      worker: { level: 'base', systemMessage: 'You work.', ask: ['write_file'] },
    }),
  });
  const asked = await sandbox.troupe(['run', 'two_steps', 'Write it']);
  expect(asked.code).toBe(3);
  expect(asked.stderr).toMatch(/worker wants to use write_file with .*src\/made\.txt/);
  expect(asked.stderr).toContain('q1 yes   # or: no, always');
  const wrong = await sandbox.troupe(['answer', 'last', 'perhaps']);
  expect(wrong.code).toBe(2);
  const allowed = await sandbox.troupe(['answer', 'last', 'always']);
  expect(allowed).toMatchObject({ code: 0, stdout: 'Done.\n' });
});

test('[PH3] a tool call that a person refuses is reported as refused', async () => {
  const sandbox = writingProject({
    '.troupe/roles/roles.json': JSON.stringify({
      worker: { level: 'base', systemMessage: 'You work.', mode: 'read', ask: ['read_file'] },
    }),
  });
  const refused = await sandbox.troupe(['run', 'two_steps', 'Write it']);
  expect(refused.code).toBe(0);
  expect(refused.stderr).toMatch(/✗ write_file src\/made\.txt refused \(MODE_READ_ONLY\)/);
  expect((await sandbox.troupe(['logs', 'last'])).stdout).toContain('refused (MODE_READ_ONLY)');
});
