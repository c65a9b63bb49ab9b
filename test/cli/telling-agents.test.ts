import { expect, test } from 'vitest';
import { heldModel } from '../web/page/held-model.ts';
import { ASK_THEN_WORK, configFor, SCENARIO, scriptedProject } from './projects.ts';
import { jsonLines } from './sandbox.ts';

interface Shown {
  readonly contexts: readonly { readonly messages: readonly { readonly content: string; readonly author: string }[] }[];
}

const saidIn = ({ contexts }: Shown): readonly (readonly [string, string])[] =>
  contexts.flatMap(({ messages }) => messages.map(({ author, content }) => [author, content] as const));

/** A run that asks, and then has its worker speak. */
async function asking() {
  const sandbox = scriptedProject({ 'asking.ts': ASK_THEN_WORK });
  const { stdout, code } = await sandbox.troupe(['run', 'asking.ts', '--json', '--no-input']);
  expect(code).toBe(3);
  return { sandbox, run: String(jsonLines(stdout)[0]?.['run']) };
}

test('[U2] what a person tells an agent waits for the run, is in its conversation and in the logs', async () => {
  const { sandbox, run } = await asking();
  const sent = await sandbox.troupe(['tell', run, 'worker', 'Use', 'tabs.', '--json', '--by', 'ann']);
  expect([sent.code, JSON.parse(sent.stdout)]).toEqual([
    0,
    { kind: 'agent.told', run, agent: 'worker', isDriven: false },
  ]);
  expect((await sandbox.troupe(['tell', run, 'worker', '--', '-x'])).stderr).toContain(`troupe resume ${run}`);
  await sandbox.troupe(['answer', run, 'blue']);
  const shown = JSON.parse((await sandbox.troupe(['show', run, '--json'])).stdout) as Shown;
  expect(saidIn(shown).slice(0, 3)).toEqual([
    ['person', 'Use tabs.'],
    ['person', '-x'],
    ['workflow', 'Work'],
  ]);
  expect((await sandbox.troupe(['logs', run, '--agent', 'worker'])).stdout).toContain('ann to worker: Use tabs.');
  expect((await sandbox.troupe(['logs', run, '--json-lines'])).stdout).toContain('"event":"agent_told"');
});

test('[U2] no agent, no text, no agent left: each is refused with a hint', async () => {
  const { sandbox, run } = await asking();
  const unknown = await sandbox.troupe(['tell', run, 'cook', 'Hello']);
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('AGENT_UNKNOWN')]);
  expect(unknown.stderr).toContain('It has: worker.');
  expect((await sandbox.troupe(['tell', run, 'worker', ' '])).stderr).toContain('USAGE');
  await sandbox.troupe(['answer', run, 'blue']);
  const late = await sandbox.troupe(['tell', run, 'worker', 'Hello']);
  expect([late.code, late.stderr]).toEqual([2, expect.stringContaining(`troupe fork ${run} --at STEP --tell`)]);
});

test('[U2] a fork begins with the message to its agents', async () => {
  const { sandbox, run } = await asking();
  await sandbox.troupe(['answer', run, 'blue']);
  const forked = await sandbox.troupe(['fork', run, '--at', 'work', '--tell', 'worker=Use tabs=always', '--json']);
  expect(forked.code).toBe(0);
  const [{ run: fork } = { run: '' }] = jsonLines(forked.stdout);
  const { stdout } = await sandbox.troupe(['logs', String(fork)]);
  expect(stdout).toContain('to worker: Use tabs=always');
  expect((await sandbox.troupe(['logs', run])).stdout).not.toContain('Use tabs');
  const cook = await sandbox.troupe(['fork', run, '--at', 'work', '--tell', 'cook=x']);
  expect([cook.code, cook.stderr]).toEqual([2, expect.stringContaining('It has: worker.')]);
  expect((await sandbox.troupe(['fork', run, '--at', 'work', '--tell', 'worker'])).stderr).toContain('USAGE');
});

test('[U2] an agent at work in another process hears it with its next call, and answers once more', async () => {
  const model = await heldModel(SCENARIO);
  const sandbox = scriptedProject({ '.troupe/config.yaml': configFor(model.url) });
  await sandbox.troupe(['trust', '--yes']);
  model.hold('worker');
  const started = await sandbox.troupe(['run', 'two_steps', 'Do it', '--detach', '--json']);
  const run = String(jsonLines(started.stdout).at(-1)?.['run']);
  const sent = await sandbox.troupe(['tell', run, 'worker', 'Use tabs.', '--json']);
  expect(JSON.parse(sent.stdout)).toEqual({ kind: 'agent.told', run, agent: 'worker', isDriven: true });
  model.letGo('worker');
  await sandbox.troupe(['watch', run]);
  const shown = JSON.parse((await sandbox.troupe(['show', run, '--json'])).stdout) as Shown;
  expect(saidIn(shown).slice(0, 4)).toEqual([
    ['workflow', 'Do it'],
    ['worker', 'A long answer.'],
    ['person', 'Use tabs.'],
    ['worker', 'A long answer.'],
  ]);
});

const BELOW = `import { defineWorkflow } from 'troupe';
const inner = defineWorkflow({
  name: 'inner', data: {}, agents: { helper: {} },
  states: { start: { work: { kind: 'turn', agent: 'helper', input: "'Help'" }, transitions: ['done'] }, done: { kind: 'end' } },
});
export const outer = defineWorkflow({
  name: 'outer', data: {}, agents: { worker: {} },
  states: {
    start: { work: { kind: 'call', workflow: inner }, transitions: ['ask'] },
    ask: { work: { kind: 'ask', question: "'Go on?'", choices: [] }, transitions: ['done'] },
    done: { kind: 'end' },
  },
});
`;

test('[U2] an agent of a run below that is over is not unknown: the error says that it is over, and what to do', async () => {
  const sandbox = scriptedProject({
    'below.ts': BELOW,
    '.troupe/roles/roles.json': JSON.stringify({
      worker: { level: 'base', systemMessage: 'You work.' },
      helper: { level: 'base', systemMessage: 'You help.' },
    }),
  });
  const { stdout, stderr } = await sandbox.troupe(['run', 'below.ts#outer', '--json', '--no-input']);
  const run = String(jsonLines(stdout)[0]?.['run']);
  expect(stderr).not.toContain('error');
  for (const name of ['t1/helper', 'helper']) {
    const late = await sandbox.troupe(['tell', run, name, 'Hello', '--json']);
    expect([late.code, jsonLines(late.stderr)[0]]).toMatchObject([
      2,
      {
        code: 'RUN_SETTLED',
        message: `The agent "${name}" belongs to run ${run}/t1, which is over: no agent is left to receive it.`,
        hint: `Continue from before that in a new run, and tell it there: troupe fork ${run} --at start`,
      },
    ]);
  }
  expect((await sandbox.troupe(['tell', run, 't2/helper', 'Hello'])).stderr).toContain('AGENT_UNKNOWN');
  const direct = await sandbox.troupe(['tell', `${run}/t1`, 'helper', 'Hello']);
  expect(direct.stderr).toContain('RUN_SETTLED');
  expect(direct.stderr).toContain(`troupe fork ${run} --at STEP\n`);
});
