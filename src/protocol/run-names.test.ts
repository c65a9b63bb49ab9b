import { expect, test } from 'vitest';
import type { Fact } from '../core/record/fact.ts';
import { taskId } from '../core/model/ids.ts';
import { NO_USAGE } from '../core/model/usage.ts';
import { inside, RunNames } from './run-names.ts';

const turn = (task: string, agent: string): Fact => ({
  kind: 'task.started',
  task: taskId(task),
  state: 'start',
  pool: null,
  unit: null,
  work: { kind: 'turn', agent, context: 'room', input: null },
  deadline: null,
});

const called = (task: string, state: string, unit: string | null): Fact => ({
  kind: 'task.started',
  task: taskId(task),
  state,
  pool: null,
  unit,
  work: { kind: 'call', workflow: 'child', input: {} },
  deadline: null,
});

const asksFor = (task: string, call: number, roles: readonly (string | null)[]): Fact => ({
  kind: 'call.answered',
  task: taskId(task),
  call,
  attempt: 1,
  message: {
    role: 'assistant',
    author: 'lead',
    content: '',
    toolCalls: roles.map((role, index) => ({
      id: `c${index}`,
      name: index === 0 ? 'read_file' : 'task',
      arguments: role === null ? { prompt: 'x' } : { prompt: 'x', role },
    })),
  },
  usage: NO_USAGE,
  costUsd: 0,
  model: 'm',
  ms: 1,
});

const text = (names: RunNames, run: string): string | undefined => names.of('r', run)?.text;

test('[Q8] sub-agents are distinguished by their parent, their role and a number', () => {
  const names = new RunNames();
  names.learn('r', turn('t1', 'lead'));
  expect(names.learn('r', asksFor('t1', 2, [null, 'helper', 'helper', null]))).toEqual([
    'r/t1-2.1',
    'r/t1-2.2',
    'r/t1-2.3',
  ]);
  expect(['r/t1-2.1', 'r/t1-2.2', 'r/t1-2.3'].map((run) => text(names, run))).toEqual([
    'lead › helper#1',
    'lead › helper#2',
    'lead › lead#1',
  ]);
  names.learn('r', asksFor('t1', 3, [null, 'helper']));
  expect(text(names, 'r/t1-3.1')).toBe('lead › helper#3');
});

test('[Q8] one that a sub-agent starts is named by the whole way, and after a run was put back there are new ones', () => {
  const names = new RunNames();
  names.learn('r', turn('t1', 'lead'));
  names.learn('r', asksFor('t1', 1, [null, 'helper']));
  names.learn('r/t1-1.1', turn('t1', 'helper'));
  names.learn('r/t1-1.1', asksFor('t1', 1, [null, 'helper']));
  expect(text(names, 'r/t1-1.1/t1-1.1')).toBe('lead › helper#1 › helper#1');
  names.learn('r', { kind: 'run.rewound', to: 1, by: 'ann', state: {} as never });
  expect(names.learn('r', asksFor('t1', 1, [null, 'helper']))).toEqual(['r/t1-1.1.r1']);
});

test('[U1] a workflow that was called is named by its unit or its state; the run that is shown has no name', () => {
  const names = new RunNames();
  expect(names.learn('r', called('t1', 'analyse', null))).toEqual(['r/t1']);
  names.learn('r', called('t3', 'all', 'docs'));
  expect([text(names, 'r/t1'), text(names, 'r/t3'), text(names, 'r'), text(names, 'r/t9')]).toEqual([
    'analyse',
    'docs',
    undefined,
    't9',
  ]);
  expect(inside(names.of('r', 'r/t3'), 'coder')).toBe('docs › coder');
  expect(inside(names.of('r', 'r/t3'), 'troupe')).toBe('docs');
  expect(inside(null, 'coder')).toBe('coder');
});
