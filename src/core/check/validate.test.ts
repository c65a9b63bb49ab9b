import { expect, test } from 'vitest';
import type { Expression } from '../model/expression.ts';
import { validateWorkflow } from './validate.ts';
import {
  DEFAULT_LIMITS,
  type Join,
  type PoolUnit,
  type State,
  type Transition,
  type Work,
  type Workflow,
  type WorkState,
} from '../model/workflow.ts';

const to = (target: string, when: Expression | null = null): Transition => ({ target, when, assign: null });

const work = (name: string, changes: Partial<WorkState> = {}): WorkState => ({
  kind: 'work',
  name,
  enter: null,
  work: { kind: 'none' },
  transitions: [to('end')],
  on: {},
  timeoutMs: null,
  retry: null,
  at: { line: 7, column: 3 },
  ...changes,
});
const end: State = { kind: 'end', name: 'end', outcome: 'ok', output: null };

const workflow = (states: readonly State[], changes: Partial<Workflow> = {}): Workflow => ({
  name: 'w',
  description: '',
  family: 'test',
  inputs: [],
  output: null,
  data: {},
  contexts: [{ name: 'talk', startingMessages: [], maxLength: 100 }],
  agents: [{ name: 'coder', role: 'coder', context: 'talk', side: 'assistant' }],
  start: 'start',
  states: Object.fromEntries([...states, end].map((state) => [state.name, state])),
  limits: DEFAULT_LIMITS,
  file: 'w.json',
  ...changes,
});

const problemsOf = (states: readonly State[], changes: Partial<Workflow> = {}) =>
  validateWorkflow(workflow(states, changes)).map(({ severity, code, path }) => `${severity} ${code} ${path}`);

const pool = (list: readonly PoolUnit[], join: Join = { rule: 'all' }): Work => ({
  kind: 'pool',
  units: { kind: 'fixed', list },
  slots: 1,
  join,
  grow: null,
});
const unit = (id: string, ...after: readonly string[]): PoolUnit => ({
  id,
  after,
  work: { kind: 'turn', agent: 'coder', mode: 'ask', input: null },
});

test('[U6] a sound workflow has no problems', () => {
  expect(problemsOf([work('start')])).toEqual([]);
});

test('[U6] problems name the file and the line of the state', () => {
  const [problem] = validateWorkflow(workflow([work('start', { transitions: [to('nowhere')] })]));
  expect(problem).toMatchObject({ code: 'STATE_UNKNOWN', file: 'w.json', at: { line: 7, column: 3 } });
});

test('[U6] unknown targets are found in transitions and in handlers', () => {
  expect(problemsOf([work('start', { transitions: [to('x'), to('end')], on: { failed: [to('y')] } })])).toEqual([
    'error STATE_UNKNOWN states.start.transitions[0]',
    'warning TRANSITION_NEVER_TAKEN states.start.transitions[1]',
    'error STATE_UNKNOWN states.start.on.failed.transitions[0]',
    'error UNREACHABLE_STOP states.start',
  ]);
});

test('[U6] a target named like a method of every object is still unknown', () => {
  expect(
    problemsOf([work('start', { transitions: [to('toString', { kind: 'name', name: 'x' }), to('end')] })]),
  ).toEqual(['error STATE_UNKNOWN states.start.transitions[0]']);
});

test('[U6] a missing start is an error', () => {
  expect(problemsOf([work('start')], { start: 'begin' })).toEqual(['error START_MISSING start']);
});

test('[U6] an end that nothing reaches is an error, another state that nothing reaches a warning', () => {
  expect(problemsOf([work('start', { transitions: [to('start')] })])).toEqual(['error UNREACHABLE_STOP states.start']);
  expect(problemsOf([work('start'), work('island')])).toEqual(['warning UNREACHABLE_STATE states.island']);
});

test('[U6] a state without transitions is a dead end, a circle without an exit a warning', () => {
  const either = [to('a', { kind: 'name', name: 'x' }), to('end')];
  expect(problemsOf([work('start', { transitions: either }), work('a', { transitions: [] })])).toEqual([
    'error DEAD_END states.a',
  ]);
  expect(problemsOf([work('start', { transitions: either }), work('a', { transitions: [to('a')] })])).toEqual([
    'warning NO_WAY_TO_END states.a',
  ]);
});

test('[U6] what happens after ok belongs to the transitions only', () => {
  expect(problemsOf([work('start', { on: { ok: [to('end')] } })])).toEqual([
    'error HANDLER_INVALID states.start.on.ok',
  ]);
});

test('[U6] unknown agents are found in turns, merges and the units of pools', () => {
  const unknown: Work = { kind: 'turn', agent: 'missing', mode: 'ask', input: null };
  expect(problemsOf([work('start', { work: unknown })])).toEqual(['error AGENT_UNKNOWN states.start.work.agent']);
  expect(problemsOf([work('start', { work: { kind: 'merge', agent: 'missing' } })])).toHaveLength(1);
  expect(problemsOf([work('start', { work: pool([{ id: 'a', after: [], work: unknown }]) })])).toEqual([
    'error AGENT_UNKNOWN states.start.work.units[0].agent',
  ]);
});

test('[U6] an agent in a context that does not exist, and names given twice, are errors', () => {
  const agent = { name: 'coder', role: 'coder', context: 'walk', side: 'assistant' } as const;
  const context = { name: 'talk', startingMessages: [], maxLength: 1 };
  expect(problemsOf([work('start')], { agents: [agent, agent], contexts: [context, context] })).toEqual([
    'error CONTEXT_DUPLICATE contexts.talk',
    'error AGENT_DUPLICATE agents.coder',
    'error CONTEXT_UNKNOWN agents.coder',
    'error CONTEXT_UNKNOWN agents.coder',
  ]);
});

test('[U6] code that asks for unknown agents and contexts is reported', () => {
  const agents: Expression = { kind: 'name', name: 'agents' };
  const self: Expression = { kind: 'name', name: 'this' };
  const text = (value: string): Expression => ({ kind: 'literal', value });
  const call = (object: Expression, method: string, value: string): Expression => ({
    kind: 'call',
    object,
    method,
    arguments: [text(value)],
    optional: false,
  });
  const member = (object: Expression, property: string): Expression => ({
    kind: 'member',
    object,
    property,
    optional: false,
  });
  const reads: readonly Expression[] = [
    call(self, 'getAgent', 'one'),
    call(agents, 'get', 'two'),
    member(member(self, 'agents'), 'three'),
    { kind: 'index', object: agents, index: text('four'), optional: false },
    call(self, 'getContext', 'five'),
    member({ kind: 'name', name: 'contexts' }, 'six'),
    member(agents, 'size'),
    member(agents, 'coder'),
    call(self, 'getToolCalls', 'coder'),
    call(member(agents, 'coder'), 'get', 'seven'),
    { kind: 'literal', value: { kind: 'member', object: { kind: 'name', name: 'agents' }, property: 'eight' } },
  ];
  const messages = validateWorkflow(
    workflow([work('start', { transitions: [...reads.map((read) => to('end', read)), to('end')] })]),
  )
    .filter((problem) => problem.severity === 'error')
    .map((problem) => problem.message);
  expect(messages.map((message) => /"(\w+)"/.exec(message)?.[1])).toEqual([
    'one',
    'two',
    'three',
    'four',
    'five',
    'six',
  ]);
});

test('[U6] limits, timeouts and tries must be numbers above zero', () => {
  expect(
    problemsOf([work('start')], { limits: { iterations: 0, toolRounds: 1.5, usd: 0.5, tokens: Number.NaN } }),
  ).toEqual([
    'error LIMIT_INVALID limits.iterations',
    'error LIMIT_INVALID limits.toolRounds',
    'error LIMIT_INVALID limits.tokens',
  ]);
  const retry = { tries: { network: 0 }, baseMs: 10, maxMs: 5 };
  const spoken: Work = { kind: 'turn', agent: 'coder', mode: 'ask', input: null };
  expect(problemsOf([work('start', { work: spoken, timeoutMs: 0, retry })])).toEqual([
    'error LIMIT_INVALID states.start.timeoutMs',
    'error LIMIT_INVALID states.start.retry',
    'error LIMIT_INVALID states.start.retry',
  ]);
});

test('[U6] a command that no exit code can satisfy is reported', () => {
  const command: Work = { kind: 'command', command: { kind: 'literal', value: 'true' }, okExitCodes: [] };
  expect(problemsOf([work('start', { work: command })])).toEqual(['error COMMAND_NEVER_OK states.start.work']);
});

test('[L5] two units of one id, and units that wait for an unknown one, are errors', () => {
  expect(problemsOf([work('start', { work: pool([unit('a'), unit('a'), unit('b', 'x')]) })])).toEqual([
    'error UNIT_DUPLICATE states.start.work.units[1]',
    'error UNIT_UNKNOWN states.start.work.units[2].after',
  ]);
});

test('[L5] units that wait for each other are named, those that only wait for them too', () => {
  const state = work('start', { work: pool([unit('a', 'c'), unit('b'), unit('c', 'a'), unit('d', 'a', 'b')]) });
  const [problem, more] = validateWorkflow(workflow([state]));
  expect(problem).toMatchObject({
    code: 'UNIT_CYCLE',
    message: 'These units wait for each other and can never start: a, c, d.',
  });
  expect(more).toBeUndefined();
});

test('[L5] a pool without slots or with a quorum it cannot meet is an error', () => {
  const quorum: Join = { rule: 'quorum', count: 3 };
  const handled = { on: { partial: [to('end')] } };
  expect(problemsOf([work('start', { work: pool([unit('a'), unit('b')], quorum), ...handled })])).toEqual([
    'error QUORUM_TOO_LARGE states.start.work.join',
  ]);
  const none: Work = { ...(pool([unit('a')]) as Extract<Work, { kind: 'pool' }>), slots: 0 };
  expect(problemsOf([work('start', { work: none })])).toEqual(['error LIMIT_INVALID states.start.work.slots']);
  expect(
    problemsOf([work('start', { work: pool([unit('a')], { rule: 'quorum', count: 0 }), ...handled })]),
  ).toHaveLength(1);
});

test.for<Join>([{ rule: 'any' }, { rule: 'first' }, { rule: 'quorum', count: 1 }])(
  '[L5] a join by $rule drops units unless the author says what happens then',
  (join) => {
    const units = pool([unit('a'), unit('b')], join);
    expect(problemsOf([work('start', { work: units })])).toEqual(['error JOIN_DROPS_UNITS states.start.work.join']);
    expect(problemsOf([work('start', { work: units, on: { partial: [to('end')] } })])).toEqual([]);
  },
);

test.for([...Object.getOwnPropertyNames(Object.prototype), 'prototype'])(
  '[L8] nothing may be called %s, because every object has something of that name',
  (name) => {
    const named = workflow([work('start'), work(name)], {
      inputs: [{ name, type: 'string', description: '', required: true }],
      output: { name, type: 'string' },
      data: Object.fromEntries([[name, 1]]),
      contexts: [{ name, startingMessages: [], maxLength: 1 }],
      agents: [{ name, role: 'coder', context: name, side: 'assistant' }],
    });
    const reserved = validateWorkflow(named).filter((problem) => problem.code === 'NAME_RESERVED');
    expect(reserved.map(({ severity, path }) => `${severity} ${path}`)).toEqual([
      `error inputs.${name}`,
      'error output',
      `error data.${name}`,
      `error contexts.${name}`,
      `error agents.${name}`,
      `error states.${name}`,
    ]);
    expect(reserved.at(-1)).toMatchObject({ file: 'w.json', at: { line: 7, column: 3 } });
  },
);

test('[L8] a format that knows where a name is written is asked for the place', () => {
  const named = workflow([work('start')], { data: { valueOf: 1 } });
  const [problem] = validateWorkflow(named, (part, name) =>
    part === 'data' && name === 'valueOf' ? { line: 3, column: 5 } : undefined,
  );
  expect(problem).toMatchObject({ code: 'NAME_RESERVED', at: { line: 3, column: 5 } });
});

test('[L3] a retry without an agent that speaks would do nothing, and is refused', () => {
  const retry = { tries: { network: 3 }, baseMs: 1, maxMs: 10 };
  const silent: Work = { kind: 'command', command: { kind: 'literal', value: 'npm test' }, okExitCodes: [0] };
  const spoken: Work = { kind: 'turn', agent: 'coder', mode: 'ask', input: null };
  const codes = (does: Work): readonly string[] =>
    validateWorkflow(workflow([work('start', { work: does, retry }), end])).map((problem) => problem.code);
  expect(codes(silent)).toContain('RETRY_WITHOUT_TURN');
  expect(codes(spoken)).not.toContain('RETRY_WITHOUT_TURN');
});
