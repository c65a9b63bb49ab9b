import { expect, test } from 'vitest';
import { ASKING, endingWorkflow, scriptedProject } from './projects.ts';
import { jsonLines } from './sandbox.ts';

const EXPECTED: readonly (readonly [string, number])[] = [
  ['ok', 0],
  ['partial', 1],
  ['failed', 1],
  ['timeout', 1],
  ['crashed', 1],
  ['blocked', 3],
  ['cancelled', 4],
  ['quota', 4],
];

for (const [outcome, code] of EXPECTED) {
  test(`[L10] a run that comes out ${outcome} ends with ${code}`, async () => {
    const sandbox = scriptedProject({ 'ending.ts': endingWorkflow(outcome) });
    const result = await sandbox.troupe(['run', 'ending.ts']);
    expect(result).toMatchObject({ code });
    expect(result.stdout).toBe('came out\n');
  });
}

test('[L10] a partial outcome ends with 0 when it was allowed', async () => {
  const sandbox = scriptedProject({ 'ending.ts': endingWorkflow('partial') });
  expect((await sandbox.troupe(['run', 'ending.ts', '--allow-partial'])).code).toBe(0);
});

test('[L10] bad usage ends with 2 and names what was meant', async () => {
  const sandbox = scriptedProject();
  const command = await sandbox.troupe(['rnu']);
  expect(command.code).toBe(2);
  expect(command.stderr).toContain('Did you mean run?');
  const flag = await sandbox.troupe(['run', 'two_steps', 'x', '--jsn']);
  expect(flag.code).toBe(2);
  expect(flag.stderr).toContain('Did you mean --json?');
  const number = await sandbox.troupe(['run', 'two_steps', 'x', '--max-usd', 'much']);
  expect(number.code).toBe(2);
  expect(number.stderr).toContain('--max-usd');
});

test('[L10] a run that asks ends with 3 at once without a terminal, and says how to answer', async () => {
  const sandbox = scriptedProject({ 'asking.ts': ASKING });
  const result = await sandbox.troupe(['run', 'asking.ts']);
  expect(result.code).toBe(3);
  expect(result.stderr).toContain('Which colour?');
  const command = /troupe (answer \S+ \S+) red {3}# or: blue/.exec(result.stderr)?.[1] ?? '';
  const answered = await sandbox.troupe([...command.split(' '), 'blue']);
  expect(answered).toMatchObject({ code: 0, stdout: 'blue\n' });
});

test('[SM9] the iteration limit pauses the run with 4 and its code; a higher limit goes on', async () => {
  const loop = `import { defineWorkflow } from 'troupe';
export const loop = defineWorkflow({
  name: 'loop', output: 'count', data: { count: 0 },
  states: {
    start: { enter: 'this.common_data.count = this.common_data.count + 1', transitions: [
      { target: 'done', when: 'common_data.count >= 6' }, 'start' ] },
    done: { kind: 'end' },
  },
});`;
  const sandbox = scriptedProject({ 'loop.ts': loop });
  const paused = await sandbox.troupe(['run', 'loop.ts', '--max-iterations', '3', '--json']);
  expect(paused.code).toBe(4);
  const last = jsonLines(paused.stdout).at(-1);
  expect(last).toMatchObject({
    kind: 'run.waiting',
    status: 'paused',
    outcome: 'quota',
    failure: { code: 'MAX_ITERATIONS' },
    next: expect.arrayContaining([`troupe resume ${String(last?.['run'])} --max-iterations N`]),
  });
  const again = await sandbox.troupe(['resume', 'last']);
  expect(again.code).toBe(4);
  const raised = await sandbox.troupe(['resume', 'last', '--max-iterations', '10']);
  expect(raised).toMatchObject({ code: 0, stdout: '6\n' });
});

test('[L10] money and tokens are limits too', async () => {
  const sandbox = scriptedProject({
    '.troupe/config.yaml':
      'models:\n  base: { provider: scripted, scenario: answers.yaml, price: { input: 1000000, output: 1000000 } }\n',
  });
  const money = await sandbox.troupe(['run', 'two_steps', 'x', '--max-usd', '0.5', '--json']);
  expect(money.code).toBe(4);
  expect(jsonLines(money.stdout).at(-1)).toMatchObject({ failure: { code: 'MAX_USD' } });
  const tokens = await sandbox.troupe(['run', 'two_steps', 'x', '--max-tokens', '1', '--json']);
  expect(jsonLines(tokens.stdout).at(-1)).toMatchObject({ failure: { code: 'MAX_TOKENS' } });
});

test('[L10] a settled run cannot be resumed or cancelled, and an unknown one is reported as such', async () => {
  const sandbox = scriptedProject();
  await sandbox.troupe(['run', 'two_steps', 'x']);
  for (const command of ['resume', 'cancel']) {
    const result = await sandbox.troupe([command, 'last']);
    expect(result.code).toBe(2);
    expect(result.stderr).toContain('RUN_SETTLED');
  }
  expect((await sandbox.troupe(['show', 'nobody'])).stderr).toContain('RUN_UNKNOWN');
});
