import { expect, test } from 'vitest';
import { DEFAULT_LIMITS, type Parameter, type ValueType, type Workflow } from '../core/model/workflow.ts';
import { checkInput, type GivenInput } from './check-input.ts';
import { problemsOf } from '../source/checked.ts';

const parameter = (name: string, type: ValueType, required = true): Parameter => ({
  name,
  type,
  description: '',
  required,
});

const workflow = (...inputs: readonly Parameter[]): Workflow => ({
  name: 'w',
  description: '',
  family: 'test',
  inputs,
  output: null,
  data: {},
  contexts: [],
  agents: [],
  start: 'start',
  states: {},
  limits: DEFAULT_LIMITS,
});

const checked = (given: GivenInput, ...inputs: readonly Parameter[]) => {
  const result = checkInput(workflow(...inputs), given);
  return result.ok ? result.value : result.problems.map(({ code, path }) => `${code} ${path}`);
};

test('[SM1] a bare text goes to the first input', () => {
  expect(checked('fix it', parameter('task', 'string'))).toEqual({ task: 'fix it' });
  expect(checked('fix it', parameter('task', 'string'), parameter('note', 'string', false))).toEqual({
    task: 'fix it',
  });
});

test.for<[ValueType, string, unknown]>([
  ['number', '1.5', 1.5],
  ['boolean', 'false', false],
  ['object', '{"a": [1]}', { a: [1] }],
  ['array', '[1, "x"]', [1, 'x']],
  ['string', '{"a": 1}', '{"a": 1}'],
  ['any', '17', '17'],
])('[SM1] an input of type %s is read from the text %s', ([type, text, value]) => {
  expect(checked(text, parameter('x', type))).toEqual({ x: value });
});

test.for<[ValueType, GivenInput]>([
  ['number', 'many'],
  ['number', { x: true }],
  ['string', { x: 5 }],
  ['object', '[1]'],
  ['object', '{"a":'],
  ['array', { x: { a: 1 } }],
  ['boolean', 'yes'],
  ['object', { x: null }],
])('[SM1] an input of type %s refuses %j', ([type, given]) => {
  expect(checked(given, parameter('x', type))).toEqual(['INPUT_TYPE input.x']);
});

test('[SM1] missing and unknown inputs are reported together', () => {
  const inputs = [parameter('task', 'string'), parameter('note', 'string', false)];
  expect(checked({ taks: 'x', note: 'y' }, ...inputs)).toEqual([
    'INPUT_UNKNOWN input.taks',
    'INPUT_MISSING input.task',
  ]);
  expect(checked(null, ...inputs)).toEqual(['INPUT_MISSING input.task']);
  expect(checked(null)).toEqual({});
  expect(checked('something')).toEqual(['INPUT_UNKNOWN undefined']);
});

test('[L3] a wrong type is reported with the given and the required one', () => {
  const result = checkInput(workflow(parameter('count', 'number')), 'many');
  expect(result.ok ? [] : result.problems[0]?.message).toBe('The input "count" must be a number; it is "many".');
});

test('[U1] a missing input is reported with the way to give it', () => {
  const result = checkInput(workflow(parameter('task', 'string')), null);
  expect(problemsOf(result)).toMatchObject([{ code: 'INPUT_MISSING', hint: 'Give it with --input task=…' }]);
});
