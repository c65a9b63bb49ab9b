import { expect, test } from 'vitest';
import { ASKING, scriptedProject } from './projects.ts';
import { jsonLines } from './sandbox.ts';

test('[U1] run --json prints one object a line, the first run.started, the last run.settled', async () => {
  const sandbox = scriptedProject();
  const result = await sandbox.troupe(['run', 'two_steps', 'Hello', '--json']);
  const lines = jsonLines(result.stdout);
  const run = lines[0]?.['run'];
  expect(lines[0]).toMatchObject({ kind: 'run.started', seq: 1, workflow: 'two_steps' });
  expect(lines.every((line) => typeof line['kind'] === 'string' && line['run'] === run)).toBe(true);
  expect(lines.at(-1)).toEqual({
    kind: 'run.settled',
    run,
    status: 'settled',
    outcome: 'ok',
    result: { state: 'none', kind: 'none' },
    output: 'Done.',
    usage: expect.objectContaining({ calls: 2 }),
    costUsd: 0,
    failure: null,
    question: null,
    folder: null,
  });
  expect(lines.filter((line) => line['kind'] === 'run.settled')).toHaveLength(1);
  expect(result.stderr).toBe('');
});

test('[U1] the last line of a run that waits says so, with the question and the command that answers it', async () => {
  const sandbox = scriptedProject({ 'asking.ts': ASKING });
  const { code, stdout } = await sandbox.troupe(['run', 'asking.ts', '--json']);
  const lines = jsonLines(stdout);
  const run = String(lines[0]?.['run']);
  expect(code).toBe(3);
  expect(lines.map((line) => line['kind'])).not.toContain('run.settled');
  expect(lines.at(-1)).toMatchObject({
    kind: 'run.waiting',
    run,
    status: 'waiting',
    outcome: 'blocked',
    output: null,
    question: { name: 'q1', kind: 'ask', text: 'Which colour?', choices: ['red', 'blue'] },
    next: [`troupe answer ${run} q1 red   # or: blue`, `troupe cancel ${run}`],
  });
  expect(jsonLines((await sandbox.troupe(['watch', run, '--json'])).stdout).at(-1)).toEqual(lines.at(-1));
  const answered = await sandbox.troupe(['answer', run, 'q1', 'red', '--json']);
  expect(jsonLines(answered.stdout).at(-1)).toMatchObject({ kind: 'run.settled', status: 'settled', outcome: 'ok' });
});

test('[U1] show --json is one object with states, contexts with authors, usage, cost and errors', async () => {
  const sandbox = scriptedProject();
  await sandbox.troupe(['run', 'two_steps', 'Hello']);
  const { stdout } = await sandbox.troupe(['show', 'last', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({
    workflow: 'two_steps',
    status: 'settled',
    outcome: 'ok',
    output: 'Done.',
    states: ['start', 'again', 'stop'],
    contexts: [
      {
        name: 'talk',
        messages: [
          { author: 'workflow', content: 'Hello' },
          { author: 'worker', content: 'A long answer.' },
          { author: 'workflow', content: 'And now in one word.' },
          { author: 'worker', content: 'Done.' },
        ],
      },
    ],
    usage: { calls: 2 },
    costUsd: 0,
    errors: [],
    questions: [],
    children: [],
    folder: expect.stringMatching(/\/runs\/\w+\/work$/) as string,
  });
});

test('[U1] with --json an error is one object on stderr and stdout stays empty', async () => {
  const sandbox = scriptedProject();
  const result = await sandbox.troupe(['run', 'two_stpes', 'x', '--json']);
  expect(result).toMatchObject({ code: 2, stdout: '' });
  expect(JSON.parse(result.stderr)).toMatchObject({
    kind: 'error',
    code: 'WORKFLOW_UNKNOWN',
    problems: [],
    hint: 'Did you mean "two_steps"?',
  });
});

test('[U1] without --json standard output is the result alone, so that it can be captured', async () => {
  const sandbox = scriptedProject();
  const result = await sandbox.troupe(['run', 'two_steps', 'x']);
  expect(result.stdout).toBe('Done.\n');
  expect(result.stderr).toContain('[worker] A long answer.');
});

test('[U1] nothing an agent says reaches the terminal as an escape sequence', async () => {
  const sandbox = scriptedProject({
    'answers.yaml': String.raw`rules: [{ reply: "\u001B]0;owned\u0007\u001B[2Jred \u202Eevil" }]`,
  });
  const result = await sandbox.troupe(['run', 'two_steps', 'x']);
  const logs = await sandbox.troupe(['logs', 'last']);
  for (const text of [result.stdout, result.stderr, logs.stdout, (await sandbox.troupe(['show', 'last'])).stdout]) {
    expect(text).toContain('red evil');
    expect(text).not.toContain('\u001B');
    expect(text).not.toContain('\u202E');
  }
});

test('[U1] NO_COLOR is stronger than FORCE_COLOR', async () => {
  const sandbox = scriptedProject();
  const coloured = await sandbox.troupe(['run', 'two_steps', 'x'], { environment: { FORCE_COLOR: '1' } });
  const plain = await sandbox.troupe(['run', 'two_steps', 'x'], { environment: { FORCE_COLOR: '1', NO_COLOR: '1' } });
  expect(coloured.stderr).toContain('\u001B[');
  expect(plain.stderr).not.toContain('\u001B[');
});
