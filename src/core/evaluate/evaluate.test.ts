import { describe, expect, test } from 'vitest';
import { compileExpression } from './evaluate.ts';
import { EvaluationError } from './evaluation-error.ts';
import type { Expression } from '../model/expression.ts';
import type { Json, JsonObject } from '../model/json.ts';
import type { SurfaceData } from './surface.ts';

const name = (text: string): Expression => ({ kind: 'name', name: text });
const literal = (value: Json): Expression => ({ kind: 'literal', value });
const member = (object: Expression, property: string, optional = false): Expression => ({
  kind: 'member',
  object,
  property,
  optional,
});
const index = (object: Expression, at: Expression): Expression => ({
  kind: 'index',
  object,
  index: at,
  optional: false,
});
const call = (object: Expression, method: string, ...list: readonly Expression[]): Expression => ({
  kind: 'call',
  object,
  method,
  arguments: list,
  optional: false,
});
const binary = (left: Expression, operator: '+' | '<', right: Expression): Expression => ({
  kind: 'binary',
  operator,
  left,
  right,
});
const data = (property: string): Expression => member(name('common_data'), property);

function surface(commonData: JsonObject = {}, more: Partial<SurfaceData> = {}): SurfaceData {
  return {
    common_data: commonData,
    agents: {
      coder: { role: 'coder', contextRole: 'assistant', lastResponse: 'Done.', toolCalls: [], parsingToolCalls: [] },
    },
    contexts: {},
    sub_workflow_result: null,
    last_agent_response: null,
    last_tool_calls: [],
    last_parsing_tool_calls: [],
    locals: {},
    ...more,
  };
}

const evaluate = (expression: Expression, on: SurfaceData = surface()): unknown => compileExpression(expression)(on);

test('[SM5] an expression is compiled once', () => {
  const expression = binary(data('a'), '<', literal(5));
  expect(compileExpression(expression)).toBe(compileExpression(expression));
});

test('[SM5] a condition only touches the parts of the surface that it reads', () => {
  const touched: string[] = [];
  const watched = new Proxy(surface({ a: 1 }), {
    get: (target, key, receiver): unknown => {
      touched.push(String(key));
      return Reflect.get(target, key, receiver);
    },
  });
  expect(evaluate(binary(data('a'), '<', literal(5)), watched)).toBe(true);
  expect(touched).toEqual(['common_data']);
});

describe('no prototype is ever reached', () => {
  for (const key of ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf', 'prototype']) {
    test(`[L8] ${key} is undefined on objects, lists, texts and numbers`, () => {
      for (const value of [{}, [], 'text', 1, true]) {
        expect(evaluate(member(data('x'), key), surface({ x: value }))).toBeUndefined();
        expect(evaluate(index(data('x'), literal(key)), surface({ x: value }))).toBeUndefined();
      }
      expect(evaluate(member(name('this'), key))).toBeUndefined();
      expect(evaluate(member(name('agents'), key))).toBeUndefined();
      expect(evaluate(call(name('agents'), 'get', literal(key)))).toBeUndefined();
      expect(() => evaluate(call(name('this'), 'getAgent', literal(key)))).toThrow(`There is no agent \`${key}\``);
      expect(() => evaluate(name(key))).toThrow('has no value here');
    });
  }
});

describe('errors that JavaScript would throw have a readable message', () => {
  const cases: readonly (readonly [Expression, string])[] = [
    [member(data('task'), 'title'), 'Cannot read `title`: `common_data.task` is undefined.'],
    [member(data('nothing'), 'title'), 'Cannot read `title`: `common_data.nothing` is null.'],
    [index(data('task'), literal(0)), 'Cannot read `[0]`: `common_data.task` is undefined.'],
    [call(data('task'), 'includes', literal('a')), 'Cannot read `includes()`: `common_data.task` is undefined.'],
    [call(data('five'), 'includes', literal('a')), '`common_data.five` is a number; it has no `includes()`.'],
    [call(data('text'), 'join'), '`common_data.text` is a string; it has no `join()`.'],
    [call(data('list'), 'trim'), '`common_data.list` is a list; it has no `trim()`.'],
    [call(data('object'), 'slice'), '`common_data.object` is an object; it has no `slice()`.'],
    [call(name('this'), 'getAgent', literal('missing')), 'There is no agent `missing` here; there is: coder.'],
    [call(name('this'), 'getContext', literal('c')), 'There is no context `c` here.'],
    [call(name('this'), 'getToolCalls', literal('x')), 'There is no agent `x` here; there is: coder.'],
    [name('item'), '`item` has no value here.'],
    [binary(data('broken'), '+', literal(1)), 'Cannot convert object to primitive value in `common_data.broken + 1`.'],
  ];
  for (const [expression, message] of cases) {
    test(`[L3] ${message}`, () => {
      const on = surface({
        nothing: null,
        five: 5,
        text: 't',
        list: [],
        object: {},
        broken: { toString: 1, valueOf: 1 },
      });
      expect(() => evaluate(expression, on)).toThrow(new EvaluationError(message));
    });
  }
});

test('[SM5] an optional link ends its chain, and parentheses end the chain', () => {
  const link = member(data('task'), 'owner', true);
  expect(evaluate({ kind: 'chain', body: member(link, 'name') })).toBeUndefined();
  expect(() => evaluate(member({ kind: 'chain', body: link }, 'name'))).toThrow('is undefined');
  expect(evaluate(binary(literal('<'), '+', link))).toBe('<undefined');
});

test('[SM5] below the shorthand no link throws', () => {
  const below = (...path: readonly string[]): Expression =>
    path.reduce<Expression>((object, key) => member(object, key), { kind: 'parsed-call', tool: 'review' });
  expect(evaluate(below('arguments', 'a', 'b', 'c'))).toBeUndefined();
  expect(evaluate(call(below('arguments', 'list'), 'includes', data('x')))).toBeUndefined();
});

test('[SM5] of two parsing calls of one name the newest counts', () => {
  const calls = [1, 2].map((score) => ({
    id: `${score}`,
    type: 'function' as const,
    function: { name: 'review', arguments: { score } },
  }));
  const score = member(member({ kind: 'parsed-call', tool: 'review' }, 'arguments'), 'score');
  expect(evaluate(score, surface({}, { last_parsing_tool_calls: calls }))).toBe(2);
});

test('[SM5] common_data.variables is the data unless the author has a variable of that name', () => {
  const nested = member(data('variables'), 'x');
  expect(evaluate(nested, surface({ x: 1 }))).toBe(1);
  expect(evaluate(nested, surface({ x: 1, variables: { x: 2 } }))).toBe(2);
  expect(evaluate(data('variables'), surface({ variables: null }))).toBeNull();
  expect(evaluate(member(member(data('other'), 'variables'), 'x', true), surface({ other: {} }))).toBeUndefined();
});

test("[SM5] an author's own data does not gain the methods of an agent", () => {
  const fake = surface({ fake: { lastResponse: 'secret' } });
  expect(() => evaluate(call(data('fake'), 'getLastResponse'), fake)).toThrow('it has no `getLastResponse()`');
});

test('[L8] a text cannot be doubled until the memory is full', () => {
  const text = surface({ text: 'x'.repeat(10_000_000) });
  expect(() => evaluate(binary(data('text'), '+', data('text')), text)).toThrow(/20000000 characters/);
  const template: Expression = { kind: 'template', texts: ['', '', ''], values: [data('text'), data('text')] };
  expect(() => evaluate(template, text)).toThrow(EvaluationError);
  const joined = call({ kind: 'array', items: [data('text'), data('text')] }, 'join');
  expect(() => evaluate(joined, text)).toThrow(EvaluationError);
});

test('[SM5] an isolate node is never evaluated here', () => {
  const node: Expression = { kind: 'isolate', source: 'Math.max(1)', reads: [] };
  expect(() => compileExpression(binary(node, '+', literal(1)))).toThrow('reached the evaluator');
});
