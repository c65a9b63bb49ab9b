import { expect, test } from 'vitest';
import { isFault, type Problem } from '../../core/model/fault.ts';
import { defineWorkflow } from './define-workflow.ts';
import type { WorkflowSpec } from './workflow-spec.ts';

/** The problems of a spec that JavaScript lets an author write. */
function problemsOf(spec: unknown): readonly Problem[] {
  try {
    defineWorkflow(spec as WorkflowSpec<string, string, string>);
  } catch (error) {
    if (!isFault(error) || error.code !== 'WORKFLOW_INVALID') throw error;
    return error.problems;
  }
  return [];
}

const codesOf = (spec: unknown): readonly string[] => problemsOf(spec).map(({ code, path }) => `${code} ${path}`);

const done = { kind: 'end' };
const withWork = (work: unknown) => ({
  name: 'w',
  agents: { writer: {} },
  states: { start: { work, transitions: ['done'], on: { partial: ['done'] } }, done },
});

test('[L3] a key that a transition does not have is refused, not taken as always true', () => {
  const transition = { target: 'done', condition: 'false', before: 'x' };
  expect(problemsOf({ name: 'w', states: { start: { transitions: [transition] }, done } })).toEqual([
    {
      code: 'KEY_UNKNOWN',
      message: 'The key "condition" is not known in states.start.transitions[0].',
      severity: 'error',
      path: 'states.start.transitions[0].condition',
      hint: 'Known here: target, when, assign, label.',
    },
    {
      code: 'KEY_UNKNOWN',
      message: 'The key "before" is not known in states.start.transitions[0].',
      severity: 'error',
      path: 'states.start.transitions[0].before',
      hint: 'Known here: target, when, assign, label.',
    },
  ]);
});

test('[L3] every object of a workflow refuses keys it does not know, all at once', () => {
  const spec = {
    name: 'w',
    bogus: 1,
    inputs: { task: { type: 'string', requird: true } },
    output: { name: 'x', type: 'string', description: '' },
    contexts: { talk: { maxLenght: 5, startingMessages: [{ role: 'user', content: 'x', author: 'y' }] } },
    agents: { writer: { rol: 'coder' } },
    limits: { dollars: 1 },
    states: {
      start: {
        work: { kind: 'turn', agent: 'writer' },
        bogus: 1,
        retry: { tries: { netwrok: 2 }, wait: 1 },
        on: { fialed: ['done'] },
        transitions: ['done'],
      },
      done: { kind: 'end', result: '1' },
    },
  };
  expect(codesOf(spec)).toEqual([
    'KEY_UNKNOWN bogus',
    'KEY_UNKNOWN inputs.task.requird',
    'KEY_UNKNOWN output.description',
    'KEY_UNKNOWN contexts.talk.maxLenght',
    'KEY_UNKNOWN contexts.talk.startingMessages[0].author',
    'KEY_UNKNOWN agents.writer.rol',
    'KEY_UNKNOWN limits.dollars',
    'KEY_UNKNOWN states.start.bogus',
    'KEY_UNKNOWN states.start.retry.tries.netwrok',
    'KEY_UNKNOWN states.start.retry.wait',
    'KEY_UNKNOWN states.start.on.fialed',
    'KEY_UNKNOWN states.done.result',
  ]);
  const hints = problemsOf(spec).map(({ hint }) => hint);
  expect(hints).toContain('Did you mean "role"?');
  expect(hints).toContain('Did you mean "failed"?');
  expect(hints).toContain('Did you mean "network"?');
});

const wait = { kind: 'wait', ms: 1 };
const WORKS: readonly (readonly [string, object, string])[] = [
  ['turn', { kind: 'turn', agent: 'writer', prompt: "'x'" }, 'prompt'],
  ['command', { kind: 'command', command: "'ls'", okExitCode: [0] }, 'okExitCode'],
  ['call', { kind: 'call', workflow: 'other', inputs: {} }, 'inputs'],
  ['ask', { kind: 'ask', question: "'x'", choice: ['a'] }, 'choice'],
  ['wait', { ...wait, seconds: 1 }, 'seconds'],
  ['none', { kind: 'none', input: "'x'" }, 'input'],
  ['merge', { kind: 'merge', agent: null, into: 'main' }, 'into'],
  ['pool of units', { kind: 'pool', units: { a: { work: wait } }, slot: 1 }, 'slot'],
  ['pool of both', { kind: 'pool', units: { a: { work: wait } }, items: '[1]' }, 'items'],
  ['pool of items', { kind: 'pool', items: '[1]', work: wait, slots: 1, limit: 2 }, 'limit'],
  ['unit', { kind: 'pool', units: { a: { work: wait, before: ['b'] } } }, 'units.a.before'],
  ['work of a unit', { kind: 'pool', units: { a: { work: { ...wait, s: 1 } } } }, 'units.a.work.s'],
  ['join', { kind: 'pool', units: { a: { work: wait } }, join: { quorum: 1, of: 2 } }, 'join.of'],
];

for (const [name, work, path] of WORKS) {
  test(`[L3] an unknown key is refused in: ${name}`, () => {
    expect(codesOf(withWork(work))).toEqual([`KEY_UNKNOWN states.start.work.${path}`]);
  });
}

test('[L3] other problems are reported besides unknown keys', () => {
  const start = { when: 'x', transitions: [{ target: 'dne', when: 'a +' }] };
  expect(codesOf({ name: 'w', states: { start, done } })).toEqual(
    expect.arrayContaining([
      'KEY_UNKNOWN states.start.when',
      'EXPRESSION_INVALID states.start.transitions[0].when',
      'STATE_UNKNOWN states.start.transitions[0]',
    ]),
  );
});

test('[L3] a misspelt key is reported as missing, with the similar one', () => {
  const problems = problemsOf({ name: 'w', states: { start: { transition: ['done'] }, done } });
  expect(problems).toMatchObject([
    { code: 'KEY_MISSING', path: 'states.start.transitions' },
    { code: 'KEY_UNKNOWN', path: 'states.start.transition', hint: 'Did you mean "transitions"?' },
  ]);
});

test('[L3] a kind that does not exist is reported with the state, the known kinds and the similar one', () => {
  expect(problemsOf(withWork({ kind: 'aks', question: "'x'" }))).toEqual([
    {
      code: 'KIND_UNKNOWN',
      message:
        'The work of the state "start" has the kind "aks", which is not known here. ' +
        'The kinds are turn, command, diff, call, ask, wait, none, merge, pool.',
      severity: 'error',
      path: 'states.start.work.kind',
      hint: 'Did you mean "ask"?',
    },
  ]);
  const inner = { kind: 'pool', units: { a: { work: { kind: 'pool' } } } };
  expect(codesOf(withWork(inner))).toEqual(['KIND_UNKNOWN states.start.work.units.a.work.kind']);
  expect(codesOf(withWork({ kind: 'toString' }))).toEqual(['KIND_UNKNOWN states.start.work.kind']);
  expect(codesOf(withWork({ question: "'x'" }))).toEqual(['KEY_MISSING states.start.work.kind']);
  expect(problemsOf({ name: 'w', states: { start: { transitions: ['x'] }, x: { kind: 'ende' } } })).toMatchObject([
    { code: 'KIND_UNKNOWN', path: 'states.x.kind', hint: 'Did you mean "end"?' },
  ]);
});

const cyclic: Record<string, unknown> = {};
cyclic['self'] = cyclic;

const SHAPES: readonly (readonly [string, unknown, readonly string[]])[] = [
  ['nothing', undefined, ['VALUE_INVALID ']],
  ['a list', [], ['VALUE_INVALID ']],
  ['an empty object', {}, ['KEY_MISSING name', 'KEY_MISSING states']],
  ['states as a list', { name: 'w', states: ['start'] }, ['VALUE_INVALID states']],
  ['a state that is null', { name: 'w', states: { start: null, done } }, ['VALUE_INVALID states.start']],
  ['a name that is a number', { name: 1n, states: { start: done } }, ['VALUE_INVALID name']],
  ['agents as text', { name: 'w', agents: 'a', states: { start: done } }, ['VALUE_INVALID agents']],
  ['data in a circle', { name: 'w', data: { a: cyclic }, states: { start: done } }, ['VALUE_INVALID data.a']],
  ['data with a function', { name: 'w', data: { a: () => 1 }, states: { start: done } }, ['VALUE_INVALID data.a']],
  ['units as text', withWork({ kind: 'pool', units: 'a' }), ['VALUE_INVALID states.start.work.units']],
  ['units left undefined', withWork({ kind: 'pool', units: undefined }), ['KEY_MISSING states.start.work.units']],
  ['a unit as text', withWork({ kind: 'pool', units: { a: 'b' } }), ['VALUE_INVALID states.start.work.units.a']],
  [
    'a join that does not exist',
    withWork({ kind: 'pool', units: {}, join: 'most' }),
    ['VALUE_INVALID states.start.work.join'],
  ],
  ['work as text', withWork('ask'), ['VALUE_INVALID states.start.work']],
  ['a command as a list', withWork({ kind: 'command', command: ['ls'] }), ['VALUE_INVALID states.start.work.command']],
  [
    'choices as a number',
    withWork({ kind: 'ask', question: '1', choices: 7 }),
    ['VALUE_INVALID states.start.work.choices'],
  ],
  [
    'an approval of nothing known',
    withWork({ kind: 'ask', question: '1', approves: 'yes' }),
    ['VALUE_INVALID states.start.work.approves'],
  ],
  ['a call of nothing', withWork({ kind: 'call', workflow: null }), ['VALUE_INVALID states.start.work.workflow']],
  ['a wait of an object', withWork({ kind: 'wait', ms: {} }), ['VALUE_INVALID states.start.work.ms']],
  [
    'a mode that does not exist',
    withWork({ kind: 'turn', agent: 'writer', mode: 'aks' }),
    ['VALUE_INVALID states.start.work.mode'],
  ],
  [
    'transitions as text',
    { name: 'w', states: { start: { transitions: 'done' }, done } },
    ['VALUE_INVALID states.start.transitions'],
  ],
  [
    'a transition as a number',
    { name: 'w', states: { start: { transitions: [1] }, done } },
    ['VALUE_INVALID states.start.transitions[0]'],
  ],
  [
    'a condition as a list',
    { name: 'w', states: { start: { transitions: [{ target: 'done', when: [] }] }, done } },
    ['VALUE_INVALID states.start.transitions[0].when'],
  ],
];

for (const [name, spec, expected] of SHAPES) {
  test(`[L3] a wrong form is a problem with a path: ${name}`, () => expect(codesOf(spec)).toEqual(expected));
}
