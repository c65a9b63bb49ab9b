import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseScenario } from '../../src/actors/scripted/scenario.ts';
import { startScriptedServer } from '../../src/actors/scripted/scripted-server.ts';
import { configFor, scriptedProject, TWO_STEPS } from './projects.ts';
import { jsonLines, PROGRAM, type Result } from './sandbox.ts';

interface ErrorLine {
  readonly code: string;
  readonly problems: readonly {
    readonly code: string;
    readonly file?: string;
    readonly at?: { readonly line: number };
    readonly message: string;
  }[];
}

const errorOf = (result: Result): ErrorLine => JSON.parse(result.stderr.trim().split('\n').at(-1) ?? '') as ErrorLine;

/** Runs and checks a file that must be refused, both with the same problem at a line. */
async function refused(text: string, name = 'flow.json'): Promise<ErrorLine> {
  const sandbox = scriptedProject({ [name]: text });
  const result = await sandbox.troupe(['run', name, 'x', '--json']);
  expect(result).toMatchObject({ code: 2, stdout: '' });
  const check = await sandbox.troupe(['check', name]);
  expect(check.code).toBe(2);
  const error = errorOf(result);
  const problems = error.problems.filter((problem) => problem.file === name);
  expect(problems.length).toBeGreaterThan(0);
  expect(check.stdout).toContain(problems[0]?.code);
  return { ...error, problems };
}

/** Somebody is asked before an agent speaks. */
const ASKING_AGENT = `import { defineWorkflow } from 'troupe';
export const asking = defineWorkflow({
  name: 'asking',
  agents: { worker: {} },
  states: {
    start: { work: { kind: 'ask', question: "'Go on?'" }, transitions: ['speak'] },
    speak: { work: { kind: 'turn', agent: 'worker', input: "'x'" }, transitions: ['done'] },
    done: { kind: 'end' },
  },
});
`;

type Change = (flow: typeof TWO_STEPS) => unknown;

const lines = (change: Change): string => JSON.stringify(change(structuredClone(TWO_STEPS)), null, 2);

const BAD_FILES: readonly (readonly [string, Change, RegExp])[] = [
  ['an unknown key', (flow) => ({ ...flow, agnets: [] }), /agnets/],
  [
    'an unknown state',
    (flow) => ({ ...flow, states: [{ ...flow.states[0], transition: [{ target: 'nowhere' }] }, flow.states[2]] }),
    /nowhere/,
  ],
  [
    'an unknown agent',
    (flow) => ({ ...flow, states: [{ ...flow.states[0], agent: 'nobody' }, ...flow.states.slice(1)] }),
    /nobody/,
  ],
  ['an unknown context', (flow) => ({ ...flow, agents: [{ ...flow.agents[0], context: 'elsewhere' }] }), /elsewhere/],
  [
    'an unknown role',
    (flow) => ({
      ...flow,
      agents: [{ ...flow.agents[0], agent_role: 'wroker' }],
      states: flow.states.map((state) => ('agent' in state ? { ...state, agent: 'wroker' } : state)),
    }),
    /wroker/,
  ],
  [
    'an unknown sub-workflow',
    (flow) => ({
      ...flow,
      states: [
        { name: 'start', action: { sub_workflow: 'missing_flow' }, transition: [{ target: 'stop' }] },
        flow.states[2],
      ],
    }),
    /missing_flow/,
  ],
  ['a missing start', (flow) => ({ ...flow, states: flow.states.slice(1) }), /start/],
  [
    'an unreachable stop',
    (flow) => ({ ...flow, states: [{ ...flow.states[0], transition: [{ target: 'start' }] }, flow.states[2]] }),
    /end/,
  ],
  [
    'a condition that does not parse',
    (flow) => ({
      ...flow,
      states: [{ ...flow.states[0], transition: [{ target: 'again', condition: 'a ===' }] }, ...flow.states.slice(1)],
    }),
    /condition|parse|expression/i,
  ],
  ['an agent role used twice', (flow) => ({ ...flow, agents: [flow.agents[0], flow.agents[0]] }), /worker/],
  [
    'a workflow that calls itself',
    (flow) => ({
      ...flow,
      states: [
        {
          name: 'start',
          action: { sub_workflow: 'two_steps', sub_workflow_input: { task: "'x'" } },
          transition: [{ target: 'stop' }],
        },
        flow.states[2],
      ],
    }),
    /two_steps/,
  ],
];

for (const [name, change, pattern] of BAD_FILES) {
  test(`[L3] ${name} is refused with a code, the file and the line`, async () => {
    const { problems } = await refused(lines(change));
    expect(problems.map((problem) => problem.message).join('\n')).toMatch(pattern);
    expect(problems[0]?.at?.line).toBeGreaterThan(0);
  });
}

const BOMBS: readonly (readonly [string, string, string])[] = [
  ['a deep YAML list', 'flow.yaml', '- '.repeat(1500)],
  ['deep JSON', 'flow.json', '['.repeat(3000)],
  [
    'a cascade of aliases',
    'flow.yaml',
    [
      'a: &a [x, x, x, x, x, x, x, x, x]',
      ...'bcdefghi'.split('').map((key, index) => `${key}: &${key} [${`*${'abcdefgh'[index]},`.repeat(9)}]`),
    ].join('\n'),
  ],
  ['a __proto__ key', 'flow.json', '{ "__proto__": { "polluted": true }, "workflow_name": "x", "states": [] }'],
  ['a YAML tag that would run code', 'flow.yaml', 'workflow_name: !!js/function "function () {}"\nstates: []'],
  ['a file of 10 MB', 'flow.json', `{"workflow_name":"${'x'.repeat(10_000_000)}"}`],
  ['an empty file', 'flow.yaml', ''],
];

for (const [name, file, text] of BOMBS) {
  test(`[L8] ${name} is refused and the process lives to say so`, async () => {
    const { problems } = await refused(text, file);
    expect(problems[0]?.code).toMatch(/^[A-Z_]+$/);
  });
}

test('[L3] input of the wrong type, missing input and unknown input are refused before there is a run', async () => {
  const numbers = { ...TWO_STEPS, input: { name: 'task', type: 'number' } };
  const sandbox = scriptedProject({ 'numbers.json': JSON.stringify(numbers) });
  for (const words of [['many'], [], ['3', '--input', 'tsak=4']]) {
    const result = await sandbox.troupe(['run', 'numbers.json', ...words, '--json']);
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(errorOf(result).code).toBe('INPUT_INVALID');
  }
  expect(JSON.parse((await sandbox.troupe(['list', '--json'])).stdout)).toMatchObject({ items: [] });
});

const scripted = (script: string) => ({
  ...TWO_STEPS,
  states: [{ name: 'start', action: { script }, transition: [{ target: 'stop' }] }, { name: 'stop' }],
});

test('[L8] a script that loops for ever, and one that eats memory, fail the run with a code', async () => {
  const sandbox = scriptedProject({
    'loop.json': JSON.stringify(scripted('() => { while (true) {} }')),
    'memory.json': JSON.stringify(scripted("() => { let all = ['x']; for (;;) all = all.concat(all); }")),
  });
  for (const file of ['loop.json', 'memory.json']) {
    const result = await sandbox.troupe(['run', file, 'x', '--json']);
    expect(result.code).toBe(1);
    const last = jsonLines(result.stdout).at(-1) as { readonly failure: { readonly code: string } };
    expect(last.failure.code).toMatch(/^SCRIPT_/);
  }
});

test('[L3] when no transition matches the run fails and says so', async () => {
  const stuck = {
    ...TWO_STEPS,
    states: [
      { ...TWO_STEPS.states[0], transition: [{ target: 'stop', condition: "common_data.task === 'never'" }] },
      { name: 'stop' },
    ],
  };
  const sandbox = scriptedProject({ 'stuck.json': JSON.stringify(stuck) });
  const result = await sandbox.troupe(['run', 'stuck.json', 'x', '--json']);
  expect(result.code).toBe(1);
  expect(jsonLines(result.stdout).at(-1)).toMatchObject({ outcome: 'failed', failure: { code: 'NO_TRANSITION' } });
});

test('[L3] without a model the fault says what to write; without its key it names the variable', async () => {
  const sandbox = scriptedProject({ '.troupe/config.yaml': 'limits: { max_usd: 1 }\n' });
  const missing = await sandbox.troupe(['run', 'two_steps', 'x', '--json']);
  expect(missing.code).toBe(2);
  expect(errorOf(missing).code).toBe('MODEL_MISSING');
  sandbox.write('.troupe/config.yaml', 'models:\n  base: { provider: openai, model: any, api_key_env: SOME_KEY }\n');
  const key = await sandbox.troupe(['run', 'two_steps', 'x']);
  expect(key.code).toBe(2);
  expect(key.stderr).toContain('KEY_MISSING');
  expect(key.stderr).toContain('SOME_KEY');
});

const UNPRICED = 'models:\n  base: { provider: openai-compatible, base_url: "http://127.0.0.1:9/v1", model: any }\n';

test.each([
  ['a flag', ['two_steps', '--max-usd', '1'], UNPRICED],
  ['the configuration', ['two_steps'], `${UNPRICED}limits: { max_usd: 1 }\n`],
  ['the workflow', ['bounded.json'], UNPRICED],
  ['a workflow that it calls', ['calling.json'], UNPRICED],
])(
  '[U5] a limit in USD from %s needs the price of every model, before there is a run',
  async (_from, words, config) => {
    const bounded = { ...TWO_STEPS, workflow_name: 'bounded', limits: { usd: 1 } };
    const calling = {
      ...TWO_STEPS,
      workflow_name: 'calling',
      states: [
        {
          name: 'start',
          action: { sub_workflow: 'bounded', sub_workflow_input: { task: 'common_data.task' } },
          transition: [{ target: 'stop' }],
        },
        { name: 'stop' },
      ],
    };
    const sandbox = scriptedProject({
      '.troupe/config.yaml': config,
      'bounded.json': JSON.stringify(bounded),
      'calling.json': JSON.stringify(calling),
    });
    const result = await sandbox.troupe(['run', ...words, '--input', 'task=x', '--json']);
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(errorOf(result)).toMatchObject({
      code: 'PRICE_MISSING',
      message: expect.stringContaining('"base"'),
      hint: expect.stringContaining('models.base.price'),
    });
    expect(JSON.parse((await sandbox.troupe(['list', '--json'])).stdout)).toMatchObject({ items: [] });
  },
);

test('[U5] a run that is resumed with a limit in USD needs the price too', async () => {
  const sandbox = scriptedProject({ 'asking.ts': ASKING_AGENT });
  expect((await sandbox.troupe(['run', 'asking.ts'])).code).toBe(3);
  sandbox.write('.troupe/config.yaml', UNPRICED);
  const refused = await sandbox.troupe(['resume', 'last', '--max-usd', '1', '--json']);
  expect(refused.code).toBe(2);
  expect(errorOf(refused).code).toBe('PRICE_MISSING');
  sandbox.write('.troupe/config.yaml', UNPRICED.replace('any }', 'any, price: { input: 1, output: 1 } }'));
  expect((await sandbox.troupe(['resume', 'last', '--max-usd', '1'])).code).toBe(3);
});

test('[L3] a folder that is gone is reported as a fault', async () => {
  const sandbox = scriptedProject();
  const gone = join(sandbox.project, 'gone');
  mkdirSync(gone);
  const script = 'rmdir "$PWD" && exec "$0" "$@"';
  const run = (...words: readonly string[]) =>
    spawnSync('sh', ['-c', script, process.execPath, PROGRAM, ...words], { cwd: gone, encoding: 'utf8' });
  const { status, stdout, stderr } = run('run', 'two_steps', 'x');
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain('CWD_MISSING');
  expect(stderr).not.toMatch(/^\s+at /m);
});

test('[L3] a configuration with errors is refused with every line', async () => {
  const sandbox = scriptedProject({ '.troupe/config.yaml': 'modles: {}\nlimits:\n  max_usd: much\n' });
  const result = await sandbox.troupe(['run', 'two_steps', 'x']);
  expect(result.code).toBe(2);
  expect(result.stderr).toMatch(/config\.yaml:1:1 {2}\w+ {2}.*modles.*models/);
  expect(result.stderr).toMatch(/config\.yaml:3:12/);
});

interface ModelCase {
  readonly name: string;
  readonly rules: readonly unknown[];
  readonly code: number;
  readonly failure: RegExp;
}

const MODEL_CASES: readonly ModelCase[] = [
  { name: 'answers 401', rules: [{ reply: { status: 401 } }], code: 1, failure: /AUTH|401/ },
  {
    name: 'has no quota left',
    rules: [{ reply: { status: 429, error: 'insufficient_quota' } }],
    code: 4,
    failure: /QUOTA/,
  },
  { name: 'sends what is not JSON', rules: [{ reply: { malformed: true } }], code: 1, failure: /REPLY|JSON/ },
  {
    name: 'calls tools for ever',
    rules: [{ reply: { tools: [{ name: 'list_files', arguments: { path: '.' } }] } }],
    code: 4,
    failure: /MAX_TOOL_ROUNDS/,
  },
];

for (const { name, rules, code, failure } of MODEL_CASES) {
  test(`[L3] a model that ${name} ends the run with ${code}`, async () => {
    const parsed = parseScenario({ rules });
    if (parsed.kind !== 'parsed') throw new Error(JSON.stringify(parsed.problems));
    const server = await startScriptedServer({ scenario: parsed.scenario });
    try {
      const sandbox = scriptedProject({
        '.troupe/config.yaml': `${configFor(server.url)}limits: { max_tool_rounds: 4 }\n`,
      });
      const result = await sandbox.troupe(['run', 'two_steps', 'x', '--json']);
      expect(result.code).toBe(code);
      const last = jsonLines(result.stdout).at(-1) as { readonly failure: { readonly code: string } };
      expect(last.failure.code).toMatch(failure);
    } finally {
      await server.close();
    }
  });
}

test('[L3] an endpoint that is down fails the run with a code after its retries', async () => {
  const server = await startScriptedServer();
  await server.close();
  const sandbox = scriptedProject({
    '.troupe/config.yaml': configFor(server.url),
    'once.ts': `import { defineWorkflow } from 'troupe';
export const once = defineWorkflow({
  name: 'once', agents: { worker: {} },
  states: {
    start: { work: { kind: 'turn', agent: 'worker', input: "'x'" }, transitions: ['done'], retry: { tries: { network: 2 }, baseMs: 10 } },
    done: { kind: 'end' },
  },
});`,
  });
  const result = await sandbox.troupe(['run', 'once.ts', '--json']);
  expect(result.code).toBe(1);
  const all = jsonLines(result.stdout);
  expect(all.filter((line) => line['kind'] === 'call.failed')).toHaveLength(2);
  expect(all.at(-1)).toMatchObject({ outcome: 'failed', failure: { class: 'network' } });
});

test.each([
  ['map_item', 'map_reduce'],
  ['relay_leg', 'relay'],
  ['quest_step', 'quest'],
])(
  '[L3] %s, which merges into the run that started it, is refused before it works, and names %s',
  async (part, whole) => {
    const sandbox = scriptedProject({});
    const result = await sandbox.troupe(['run', part, '--json']);
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(errorOf(result)).toMatchObject({ code: 'WORKFLOW_IS_PART', hint: `Start ${whole} instead.` });
  },
);
