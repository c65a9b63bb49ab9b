import { expect, test } from 'vitest';
import { ASK_THEN_WORK, ASKING, scriptedProject } from './projects.ts';
import type { Sandbox } from './sandbox.ts';

const TWO_MODELS = `models:
  base: { provider: scripted, scenario: answers.yaml }
  other: { provider: scripted, scenario: other.yaml }
  third: { provider: scripted, scenario: third.yaml }
`;

const twoModels = (): Sandbox =>
  scriptedProject({
    '.troupe/config.yaml': TWO_MODELS,
    'other.yaml': 'rules: [{ reply: The other one. }]',
    'third.yaml': 'rules: [{ reply: The third one. }]',
    'asking.ts': ASK_THEN_WORK,
  });

test('[L6] the model a run was started with is kept when it goes on', async () => {
  const sandbox = twoModels();
  expect((await sandbox.troupe(['run', 'asking.ts', '--model', 'base=other'])).code).toBe(3);
  expect(await sandbox.troupe(['answer', 'last', 'red'])).toMatchObject({ code: 0, stdout: 'The other one.\n' });
});

test('[L6] another model can be given when a run goes on, also in place of one that was given before', async () => {
  const sandbox = twoModels();
  await sandbox.troupe(['run', 'asking.ts', '--model', 'base=other']);
  const answered = await sandbox.troupe(['answer', 'last', 'red', '--model', 'base=third']);
  expect(answered).toMatchObject({ code: 0, stdout: 'The third one.\n' });
});

test('[L3] a run whose model is not configured any more is refused before it goes on', async () => {
  const sandbox = twoModels();
  await sandbox.troupe(['run', 'asking.ts', '--model', 'base=other']);
  sandbox.write('.troupe/config.yaml', 'models:\n  base: { provider: scripted, scenario: answers.yaml }\n');
  for (const words of [
    ['resume', 'last'],
    ['answer', 'last', 'red'],
  ]) {
    const refused = await sandbox.troupe(words);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/MODEL_UNKNOWN.*"other"/);
  }
});

const COUNTING = `import { defineWorkflow } from 'troupe';
export const counting = defineWorkflow({
  name: 'counting',
  data: { count: 0 },
  states: {
    start: {
      enter: 'this.common_data.count = this.common_data.count + 1',
      transitions: [{ target: 'done', when: 'common_data.count >= 6' }, 'start'],
    },
    done: { kind: 'end', output: 'common_data.count' },
  },
  limits: { iterations: 4 },
});
`;

test('[L10] a limit that is no higher than the present one is refused, and the present one is named', async () => {
  const sandbox = scriptedProject({ 'counting.ts': COUNTING });
  const paused = await sandbox.troupe(['run', 'counting.ts']);
  expect(paused.code).toBe(4);
  // The limit was reported when it was met; the advice does not repeat it.
  expect(paused.stderr.match(/4 times|limit of 4|4 entries|more than 4/g)?.length ?? 0).toBeLessThan(2);
  const lower = await sandbox.troupe(['resume', 'last', '--max-iterations', '2']);
  expect(lower.code).toBe(2);
  expect(lower.stderr).toMatch(/LIMIT_NOT_RAISED: --max-iterations is 4/);
  expect(lower.stderr).not.toContain('resumed');
});

test('[L10] resuming at a limit without raising it says what to give', async () => {
  const sandbox = scriptedProject({ 'counting.ts': COUNTING });
  await sandbox.troupe(['run', 'counting.ts']);
  const same = await sandbox.troupe(['resume', 'last']);
  expect(same.code).toBe(4);
  expect(same.stderr).toMatch(/troupe resume \w+ --max-iterations N/);
  expect(same.stderr).not.toContain('resumed');
  const higher = await sandbox.troupe(['resume', 'last', '--max-iterations', '9', '--max-tokens', '5000']);
  expect(higher).toMatchObject({ code: 0, stdout: '6\n' });
  expect(higher.stderr).toContain('set MAX_TOKENS to 5000');
});

test('[L10] a run that is over is called settled', async () => {
  const sandbox = scriptedProject({ 'asking.ts': ASKING });
  await sandbox.troupe(['run', 'asking.ts']);
  await sandbox.troupe(['cancel', 'last', '--reason', 'enough']);
  for (const command of ['resume', 'cancel']) {
    expect((await sandbox.troupe([command, 'last'])).stderr).toContain('is already settled: cancelled.');
  }
  expect((await sandbox.troupe(['show', 'last'])).stdout).toMatch(/status {4}cancelled by .*: enough/);
});

test('[U1] a question is shown once, with the way to answer it', async () => {
  const sandbox = scriptedProject({ 'asking.ts': ASKING });
  const { stderr } = await sandbox.troupe(['run', 'asking.ts']);
  expect(stderr.match(/Which colour\?/g)).toHaveLength(1);
  expect(stderr).toContain('troupe answer');
  expect((await sandbox.troupe(['resume', 'last'])).stderr).toContain('waits for an answer to q1: Which colour?');
});

test('[L3] a scenario that was broken meanwhile is reported before the run goes on', async () => {
  const sandbox = scriptedProject({ 'flow.ts': ASK_THEN_WORK });
  await sandbox.troupe(['run', 'flow.ts']);
  sandbox.write('answers.yaml', 'rules: [{ when: { visit: often }, reply: x }]');
  const refused = await sandbox.troupe(['answer', 'last', 'red']);
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toContain('rules[0].when.visit');
  sandbox.write('answers.yaml', 'rules: []');
  expect((await sandbox.troupe(['answer', 'last', 'red'])).code).toBe(0);
});
