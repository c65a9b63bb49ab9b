import { describe, expect, test } from 'vitest';
import { runAssignments } from './assignments.ts';
import { EvaluationError } from './evaluation-error.ts';
import type { Assignment, Expression } from '../model/expression.ts';
import type { Patch } from '../record/patch.ts';
import type { Json, JsonObject } from '../model/json.ts';
import type { SurfaceData } from './surface.ts';

const literal = (value: Json): Expression => ({ kind: 'literal', value });
const data = (property: string): Expression => ({
  kind: 'member',
  object: { kind: 'name', name: 'common_data' },
  property,
  optional: false,
});
const plus = (left: Expression, right: Expression): Expression => ({ kind: 'binary', operator: '+', left, right });
const NOTHING: Expression = { kind: 'undefined' };
const set = (path: string, value: Expression): Assignment => ({ path: path.split('.'), value });

function run(before: JsonObject, ...steps: readonly Assignment[]): Patch {
  const surface: SurfaceData = {
    common_data: before,
    get agents(): never {
      throw new Error('agents were not mentioned');
    },
    get contexts(): never {
      throw new Error('contexts were not mentioned');
    },
    sub_workflow_result: null,
    last_agent_response: null,
    last_tool_calls: [],
    last_parsing_tool_calls: [],
    locals: {},
  };
  return runAssignments({ kind: 'assignments', steps }, surface);
}

test('[SM5] each step sees the changes of the earlier ones', () => {
  const patch = run({ n: 1 }, set('n', plus(data('n'), literal(1))), set('m', plus(data('n'), literal(10))));
  expect(patch).toEqual({ set: { n: 2, m: 12 } });
});

test('[L9] the data given in is never changed', () => {
  const before = { a: { b: { c: 1 } }, list: [1] };
  const copy = structuredClone(before);
  run(before, set('a.b.c', literal(2)), set('a.d', literal(3)), set('list', NOTHING));
  expect(before).toEqual(copy);
});

test('[SM5] only changed keys are in the patch', () => {
  const before = { same: { x: [1, { y: 2 }] }, n: 1, away: 1 };
  const patch = run(
    before,
    set('same', literal({ x: [1, { y: 2 }] })),
    set('n', literal(5)),
    set('n', literal(1)),
    set('new', literal(1)),
    set('new', NOTHING),
    set('away', NOTHING),
  );
  expect(patch).toEqual({ unset: ['away'] });
});

test('[SM5] a path changes its own branch and keeps the rest', () => {
  expect(run({ a: { b: 1, c: 2 } }, set('a.b', literal(9)))).toEqual({ inside: { a: { set: { b: 9 } } } });
  expect(run({ a: { b: 1, c: 2 } }, set('a.b', NOTHING))).toEqual({ inside: { a: { unset: ['b'] } } });
});

test('[SM5] variables.x below the data is x, unless there is a variable of that name', () => {
  expect(run({}, set('variables.x', literal(1)))).toEqual({ set: { x: 1 } });
  expect(run({ variables: {} }, set('variables.x', literal(1)))).toEqual({ set: { variables: { x: 1 } } });
  expect(run({}, set('variables', literal(1)))).toEqual({ set: { variables: 1 } });
});

test('[L9] the stored value is the one that JSON would store', () => {
  const messy: Expression = {
    kind: 'object',
    entries: [
      ['kept', literal(1)],
      ['gone', NOTHING],
      ['list', { kind: 'array', items: [NOTHING, literal('x')] }],
      ['zero', { kind: 'unary', operator: '-', operand: literal(0) }],
    ],
  };
  const patch = run({}, set('a', messy));
  expect(patch.set).toEqual({ a: { kept: 1, list: [null, 'x'], zero: 0 } });
  expect(JSON.stringify(patch.set)).toBe('{"a":{"kept":1,"list":[null,"x"],"zero":0}}');
});

describe('what cannot be stored is an error', () => {
  const divide = (left: number): Expression => ({
    kind: 'binary',
    operator: '/',
    left: literal(left),
    right: literal(0),
  });
  const cases: readonly (readonly [string, JsonObject, Assignment, string])[] = [
    ['NaN', {}, set('a', divide(0)), 'NaN'],
    ['Infinity inside', {}, set('a', { kind: 'array', items: [divide(1)] }), 'Infinity'],
    ['a text above the limit', { t: 'x'.repeat(600_000) }, set('a', plus(data('t'), data('t'))), 'larger than'],
    [
      'data that would double',
      { t: ['x'.repeat(600_000)] },
      set('a', { kind: 'array', items: [data('t'), data('t')] }),
      'larger than',
    ],
    ['a key that reaches a prototype', {}, set('__proto__.x', literal(1)), '`__proto__` may not be assigned'],
    ['constructor', {}, set('constructor', literal(1)), '`constructor` may not be assigned'],
    ['prototype below', { a: {} }, set('a.prototype', literal(1)), '`prototype` may not be assigned'],
    ['a path through nothing', {}, set('a.b', literal(1)), 'Cannot assign `common_data.a.b`: `a` is undefined.'],
    ['a path through a text', { a: 'x' }, set('a.b', literal(1)), '`a` is a string.'],
    ['a path through a list', { a: [] }, set('a.b', literal(1)), '`a` is a list.'],
    ['a path through a prototype', {}, set('toString.b', literal(1)), '`toString` is undefined.'],
  ];
  for (const [title, before, step, message] of cases) {
    test(`[L3] ${title}`, () => {
      expect(() => run(before, step)).toThrow(EvaluationError);
      expect(() => run(before, step)).toThrow(message);
    });
  }
});

test('[SM5] names of inherited properties are ordinary keys', () => {
  expect(run({}, set('toString', literal(1)), set('valueOf', NOTHING))).toEqual({ set: { toString: 1 } });
});

test('[SM5] a variable called variables that was given nothing is not the data again in the same script', () => {
  const below: Expression = { kind: 'member', object: data('variables'), property: 'a', optional: false };
  expect(() => run({ a: 1 }, set('variables', NOTHING), set('b', below))).toThrow(EvaluationError);
  expect(() => run({ a: 1 }, set('variables', NOTHING), set('variables.a', literal(2)))).toThrow(EvaluationError);
  expect(run({ variables: 1 }, set('variables', NOTHING))).toEqual({ unset: ['variables'] });
});
