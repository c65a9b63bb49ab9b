import { expect, test } from 'vitest';
import { runId } from '../../core/model/ids.ts';
import type { Definition } from '../../core/model/definition.ts';
import { foldWorkflowState } from './fold-workflow-state.ts';
import {
  answered,
  began,
  callOf,
  ended,
  entered,
  made,
  putBack,
  sent,
  settled,
  testTree,
  turnOf,
  used,
  work,
  type TestFact,
} from './testing/test-records.ts';

const workflow = (name: string, agents: readonly (readonly [string, string])[], calls: readonly string[] = []) => ({
  name,
  agents: agents.map(([agent, role]) => ({ name: agent, role, context: 'c', side: 'assistant' })),
  casts: { 'fix:EXECUTION': { of: 'fix', change: {} } },
  states: Object.fromEntries(
    calls.map((call) => [call, { kind: 'work', name: call, work: { kind: 'call', workflow: call, input: {} } }]),
  ),
});

const LIBRARY = {
  plan: workflow('plan', [['planner', 'planning']]),
  repair: workflow('repair', [['fixer', 'fix:EXECUTION']]),
  other: workflow('other', [['stranger', 'x']]),
};

const DEFINITIONS = new Map([
  ['d', { workflow: workflow('flow', [['coder', 'execution']], ['plan', 'repair']), library: LIBRARY, roles: {} }],
  ['plan', { workflow: LIBRARY.plan, library: LIBRARY, roles: {} }],
]) as unknown as ReadonlyMap<string, Definition>;

function stateOf(lines: readonly (readonly [string, TestFact])[]) {
  const state = foldWorkflowState(runId('r'), testTree(lines), DEFINITIONS);
  if (state === null) throw new Error('There is no such run.');
  return state;
}

const BEGIN: readonly (readonly [string, TestFact])[] = [
  ['r', began('r')],
  ['r', entered('a')],
  ['r', work('t1', 'a', callOf('plan'))],
  ['r/t1', began('r/t1', { definition: 'plan' })],
  ['r/t1', entered('work')],
  ['r/t1', work('t1', 'work', turnOf('planner'))],
  ['r/t1', answered('t1', 'c1 read_file', 'c2 submit_output', 'c3 write_file')],
];

const PLANNED: readonly (readonly [string, TestFact])[] = [
  ...BEGIN,
  ['r/t1', used('t1', 'c1')],
  ['r/t1', used('t1', 'c2')],
  ['r/t1', used('t1', 'c3', { refused: 'MODE_READ_ONLY', isError: true })],
  ['r/t1', { kind: 'progress.noted', task: 't1', agent: 'planner', progress: 0.45, message: 'Reading' }],
];

const DONE: readonly (readonly [string, TestFact])[] = [
  ...PLANNED,
  ['r/t1', ended('t1')],
  ['r/t1', made('t2', 'plan.md', { producer: 'planner', phase: 'a' })],
  ['r/t1', settled()],
  ['r', ended('t1')],
];

test('[PH5] all fields of the document are there, with its names', () => {
  const { workflow_state, agents } = stateOf(PLANNED);
  expect(Object.keys(workflow_state).slice(0, 3)).toEqual(['workflow_id', 'status', 'current_phase']);
  expect(workflow_state).toMatchObject({
    workflow_id: 'r',
    status: 'running',
    current_phase: 'a',
    current_phases: ['a'],
    phases_completed: [],
    artifacts_created: [],
    agents_spawned: ['planner'],
    started_at: '1970-01-01T00:00:01.000Z',
    completed_at: null,
    metadata: { workflow: 'flow', project: '/p', outcome: null },
  });
  expect(agents[0]).toEqual({
    agent_id: 'planner',
    agent_type: 'planning',
    status: 'running',
    current_task: 't1/t1',
    artifacts_produced: [],
    tools_used: ['read_file', 'submit_output'],
    started_at: '1970-01-01T00:00:06.000Z',
    duration: null,
    metadata: {
      run: 'r/t1',
      workflow: 'plan',
      turns: 1,
      calls: 1,
      models: ['m1'],
      input_tokens: 10,
      output_tokens: 2,
      cost_usd: 0.5,
    },
    progress: 0.45,
    progress_message: 'Reading',
    agent: 'planner',
  });
});

test('[PH5] agents that were not needed yet are idle; those of workflows that are not called are none', () => {
  const idle = stateOf(PLANNED).agents.slice(1);
  expect(
    idle.map(({ agent_id, agent_type, status, started_at }) => [agent_id, agent_type, status, started_at]),
  ).toEqual([
    ['coder', 'execution', 'idle', null],
    ['fixer', 'fix', 'idle', null],
  ]);
});

test('[PH5] a run that came out ok', () => {
  const { workflow_state, agents } = stateOf([...DONE, ['r', settled()]]);
  expect(workflow_state).toMatchObject({
    status: 'success',
    current_phase: null,
    current_phases: [],
    phases_completed: ['a'],
    artifacts_created: ['plan.md@aa11'],
    completed_at: '1970-01-01T00:00:16.000Z',
    metadata: { outcome: 'ok' },
  });
  expect(agents[0]).toMatchObject({
    status: 'success',
    current_task: null,
    duration: 6,
    artifacts_produced: ['plan.md@aa11'],
  });
});

test('[PH5] progress is what agents report: one that says nothing has none', () => {
  expect(stateOf(BEGIN).agents[0]).toMatchObject({ status: 'running', progress: null, progress_message: null });
});

test('[L4] an agent whose phase did not get what it owes is in error, whatever its turn was', () => {
  const payload = { error_type: 'OUTPUT_MISSING', message: 'plan', can_retry: false };
  const { agents } = stateOf([
    ...PLANNED,
    ['r/t1', ended('t1')],
    ['r/t1', sent('t3', 'error', { sender: 'planner', payload })],
    ['r/t1', settled('failed')],
  ]);
  expect(agents[0]).toMatchObject({ status: 'error', metadata: { error: 'OUTPUT_MISSING' } });
});

test.each([
  ['ok', 'success'],
  ['partial', 'success'],
  ['failed', 'error'],
  ['timeout', 'error'],
  ['crashed', 'error'],
  ['cancelled', 'error'],
  ['quota', 'error'],
  ['blocked', 'error'],
])('[PH5] an agent whose turn ended %s is shown as %s', (outcome, status) => {
  expect(stateOf([...PLANNED, ['r/t1', ended('t1', outcome)]]).agents[0]).toMatchObject({ status, current_task: null });
});

test('[PH5] an agent that waits for a person is idle, unless another of its tools is at work', () => {
  const asked: TestFact = { kind: 'permission.asked', task: 't1', toolCall: 'c1' };
  const agentWith = (...tools: readonly string[]) =>
    stateOf([...BEGIN, ['r/t1', answered('t1', ...tools)], ['r/t1', asked]]).agents[0];
  expect(agentWith('c1 execute_terminal', 'c2 execute_terminal')).toMatchObject({ status: 'running' });
  expect(agentWith('c1 execute_terminal')).toMatchObject({
    status: 'idle',
    current_task: 't1/t1',
    metadata: { waits_for: 'person' },
  });
});

test('[U8] [PH5] an agent whose turn a run below takes is there once, and waits where its turn does', () => {
  const turn = turnOf('coder');
  const asked: TestFact = { kind: 'permission.asked', task: 't1', toolCall: 'c1' };
  const { agents, workflow_state } = stateOf([
    ['r', began('r')],
    ['r', entered('a')],
    ['r', work('t7', 'a', { ...turn, apart: true })],
    ['r/t7', began('r/t7', { apart: { state: 'a', visit: 1, work: turn } })],
    ['r/t7', entered('a')],
    ['r/t7', work('t1', 'a', turn)],
    ['r/t7', answered('t1', 'c1 execute_terminal')],
    ['r/t7', asked],
  ]);
  expect(workflow_state.agents_spawned).toEqual(['coder']);
  expect(agents.filter(({ agent }) => agent === 'coder')).toMatchObject([
    { status: 'idle', current_task: 't7', metadata: { run: 'r', turns: 1, calls: 1, waits_for: 'person' } },
  ]);
});

test('[PH5] a second agent of the same name is separate; an undone turn leaves no agent at work', () => {
  const { agents, workflow_state } = stateOf([
    ...BEGIN,
    ['r', putBack(2, { ...REWOUND, tasks: {} })],
    ['r', work('t2', 'a', callOf('plan'))],
    ['r/t2', began('r/t2', { definition: 'plan' })],
    ['r/t2', entered('work')],
    ['r/t2', work('t1', 'work', turnOf('planner'))],
  ]);
  expect(agents.slice(0, 2).map(({ agent_id, status }) => `${agent_id} ${status}`)).toEqual([
    'planner idle',
    'planner#2 running',
  ]);
  expect(workflow_state.agents_spawned).toEqual(['planner', 'planner#2']);
  expect(workflow_state.metadata).toMatchObject({ rollbacks: 1 });
});

const REWOUND = {
  status: 'running',
  input: {},
  data: {},
  current: { state: 'a', entered: false, task: null, result: null, scripts: {} },
  visits: { a: 1 },
  path: { items: ['a'], length: 1 },
  contexts: {},
  agents: {},
  lastAgent: null,
  sessions: {},
  childResult: null,
  stopping: null,
  permits: [],
  result: null,
  failures: { items: [], length: 0 },
};

test('[PH5] what failed and what it waits for stand in the metadata', () => {
  const failure = { code: 'PHASE_FAILED', message: 'No plan.', class: 'logic' };
  expect(stateOf([...DONE, ['r', settled('failed', failure)]]).workflow_state.metadata).toMatchObject({
    outcome: 'failed',
    error: { code: 'PHASE_FAILED', message: 'No plan.' },
  });
  const paused: TestFact = { kind: 'run.paused', by: 'me', reason: 'lunch' };
  expect(stateOf([...BEGIN, ['r', paused]]).workflow_state.metadata).toMatchObject({ paused: 'lunch' });
});

test('[PH5] an agent that is a separate program keeps its program fields', () => {
  const session: TestFact = {
    kind: 'session.noted',
    task: 't1',
    agent: 'planner',
    actor: 'codex',
    session: 's1',
    how: 'new',
  };
  const items = [{ id: 'i', kind: 'tool', name: 'Bash', status: 'ok' }];
  const { agents } = stateOf([...BEGIN, ['r/t1', session], ['r/t1', { kind: 'activity.noted', task: 't1', items }]]);
  expect(agents[0]).toMatchObject({
    agent_id: 'planner',
    actor: 'codex',
    session: 's1',
    tools: 1,
    tools_used: ['Bash'],
  });
});

test('without its records there is nothing to tell of a run', () => {
  expect(foldWorkflowState(runId('q'), testTree(BEGIN), DEFINITIONS)).toBeNull();
});
