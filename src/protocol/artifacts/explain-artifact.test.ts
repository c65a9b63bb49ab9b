import { expect, test } from 'vitest';
import { answered, made, sent, testTree, turnOf, work, type TestFact } from '../workflow-state/testing/test-records.ts';
import { ArtifactOrigins } from './explain-artifact.ts';
import { foldArtifacts } from './fold-artifacts.ts';
import { isWhy, type KnownElsewhere, type WhyView } from './why-view.ts';

function why(path: string, lines: readonly (readonly [string, TestFact])[]): WhyView {
  const records = testTree(lines);
  const artifacts = foldArtifacts(records);
  const artifact = artifacts.findLast((one) => one.path === path);
  if (artifact === undefined) throw new Error(`No artifact ${path}.`);
  return new ArtifactOrigins(records, artifacts).why(artifact);
}

const by = (run: string, task: string, toolCall?: string) => ({ made: { run, how: 'work', task, toolCall } });

const PLAN: readonly (readonly [string, TestFact])[] = [
  ['r/t1', work('t1', 'work', turnOf('planner'))],
  ['r/t1', answered('t1', 'c1 submit_output')],
  [
    'r/t1',
    made('t2', 'plan.md', {
      producer: 'planner',
      phase: 'plan',
      metadata: { ...by('r/t1', 't1', 'c1'), agentType: 'planning' },
    }),
  ],
];

const BUILD: readonly (readonly [string, TestFact])[] = [
  ...PLAN,
  ['r/t2', work('t1', 'work', turnOf('coder'))],
  ['r/t2', answered('t1', 'c1 read_file')],
  ['r/t2', answered('t1', 'c2 write_file')],
  ['r/t2', made('t2', 'a.ts', { dependencies: ['plan.md@aa11'], metadata: by('r/t2', 't1', 'c2') })],
];

test('[PH4] an artifact is explained by its producer, in which call of which model, by which tool', () => {
  expect(why('plan.md', PLAN).made).toEqual({
    agent: 'planner',
    agent_type: 'planning',
    phase: 'plan',
    run: 'r/t1',
    task: 't1',
    how: 'work',
    tool: 'submit_output',
    tool_call: 'c1',
    call: 1,
    calls: [
      {
        task: 't1',
        call: 1,
        record: 2,
        model: 'm1',
        tools: ['submit_output'],
        input_tokens: 10,
        output_tokens: 2,
        cost_usd: 0.5,
      },
    ],
  });
});

test('[R4] failed and lost calls of the turn are listed with their cost, and the tool with the answered call', () => {
  const usage = { inputTokens: 7, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, calls: 1 };
  const failed = { kind: 'call.failed', task: 't1', attempt: 1, failure: { code: 'LOST' }, retryAt: 1 } as const;
  const { made: origin } = why('plan.md', [
    PLAN[0] ?? ['r', made('t1', 'x')],
    ['r/t1', { ...failed, call: 1, spent: { usage, costUsd: 0.25, model: 'm2' } }],
    ['r/t1', { ...failed, call: 1 }],
    ['r/t1', { kind: 'usage.noted', task: 't1', usage, costUsd: 1 }],
    ['r/t1', { kind: 'usage.noted', task: 't1', usage, costUsd: 9, isOfChild: true }],
    ['r/t1', { ...failed, task: 't9', call: 1, spent: { usage, costUsd: 5, model: 'm2' } }],
    ...PLAN.slice(1),
  ]);
  expect(origin).toMatchObject({ task: 't1', tool: 'submit_output', call: 1 });
  expect(origin.calls).toMatchObject([
    { call: 1, model: 'm2', failed: true, tools: [], input_tokens: 7, cost_usd: 0.25 },
    { call: 1, model: null, failed: true, input_tokens: 0, cost_usd: 0 },
    { call: null, model: null, failed: true, input_tokens: 7, cost_usd: 1 },
    { call: 1, model: 'm1', tools: ['submit_output'], cost_usd: 0.5 },
  ]);
  expect(origin.calls.at(-1)).not.toHaveProperty('failed');
});

test('[PH4] and with what it was made from, all the way down', () => {
  const view = why('a.ts', BUILD);
  expect(view.made).toMatchObject({ tool: 'write_file', calls: [{ record: 2 }, { record: 3 }] });
  expect(view.from).toMatchObject([{ artifact: { path: 'plan.md' }, from: [] }]);
});

test('[PH4] if no record names the tool, the earlier turns of its producer are listed', () => {
  const view = why('b.ts', [
    ['r', work('t1', 'work', turnOf('coder'))],
    ['r', answered('t1')],
    ['r', work('t2', 'work', turnOf('other'))],
    ['r', answered('t2')],
    ['r', made('t3', 'b.ts')],
    ['r', work('t4', 'work', turnOf('coder'))],
    ['r', answered('t4')],
  ]);
  expect(view.made).toMatchObject({ how: null, tool: null, call: null, task: 't1', calls: [{ task: 't1' }] });
});

const short = (one: WhyView | KnownElsewhere): unknown =>
  isWhy(one) ? [one.artifact.path, ...one.from.map(short)] : `${one.id} ${one.why}`;

test('[PH4] an artifact is explained once, and one without a record is named', () => {
  const from = (...dependencies: readonly string[]) => ({ dependencies });
  const view = why('d', [
    ['r', made('t1', 'a')],
    ['r', made('t1', 'b', from('a@aa11'))],
    ['r', made('t1', 'c', from('a@aa11', 'elsewhere'))],
    ['r', made('t1', 'd', from('b@aa11', 'c@aa11'))],
  ]);
  expect(short(view)).toEqual(['d', ['b', ['a']], ['c', 'a@aa11 told', 'elsewhere unknown']]);
});

test('ids that lead in a circle come to an end', () => {
  const view = why('b', [
    ['r', made('t1', 'a', { dependencies: ['b@aa11'] })],
    ['r', made('t1', 'b', { dependencies: ['a@aa11'] })],
  ]);
  expect(short(view)).toEqual(['b', ['a', 'b@aa11 told']]);
});

test('[L4] the success criteria are listed with the evidence of the engine, and those without any', () => {
  const criteria = [
    { text: 'Tests pass', checked: true, held: true },
    { text: 'No security vulnerabilities', checked: false, held: null, why: 'It cannot be checked.' },
    'not one',
  ];
  const command = { kind: 'command', command: 'npm test', exitCode: 1, output: '', ms: 1 };
  const view = why('plan.md', [
    PLAN[0] ?? ['r', made('t1', 'x')],
    [
      'r/t1',
      { ...answered('t1', 'c1 submit_output'), evidence: [{ kind: 'file', path: 'x.ts', isThere: true }, command] },
    ],
    ['r/t1', made('t2', 'plan.md', { producer: 'planner', metadata: by('r/t1', 't1', 'c1') })],
    ['r/t1', sent('t2', 'result', { payload: { status: 'success', criteria } })],
  ]);
  expect(view.evidence).toEqual([
    criteria[0],
    criteria[1],
    { text: 'x.ts exists', checked: true, held: true },
    { text: '`npm test` succeeds', checked: true, held: false },
  ]);
});
