import { expect, test } from 'vitest';
import { commandText } from '../../src/protocol/web/action.ts';
import type { InputField } from '../../src/protocol/web/workflow-page.ts';
import { readForm } from './read-form.ts';

const field = (name: string, more: Partial<InputField> = {}): InputField => ({
  name,
  type: 'string',
  description: '',
  isRequired: false,
  default: null,
  choices: [],
  isLong: false,
  ...more,
});

const workflow = (...inputs: readonly InputField[]) => ({ name: 'fix', inputs });

test('[U2] a filled form is a command', () => {
  const { action, problems } = readForm(
    workflow(
      field('goal', { isRequired: true }),
      field('rounds', { type: 'number' }),
      field('fast', { type: 'boolean' }),
    ),
    { goal: "it's late", rounds: '3', fast: 'true' },
  );
  expect(problems).toEqual({});
  expect(action.input).toEqual({ goal: "it's late", rounds: 3, fast: true });
  expect(commandText(action)).toBe(`troupe run fix --input 'goal=it'\\''s late' --input rounds=3 --input fast=true`);
});

test('[U2] what is needed and missing is said at its field', () => {
  expect(readForm(workflow(field('goal', { isRequired: true }), field('note')), {}).problems).toEqual({
    goal: 'This is required.',
  });
});

test('[U2] a value as the workflow has it is not said again', () => {
  const { action } = readForm(workflow(field('mode', { default: 'quick' }), field('level', { default: '1' })), {
    mode: 'quick',
    level: '2',
  });
  expect(action.input).toEqual({ level: '2' });
});

test('[U2] values of another type are refused where they stand', () => {
  const inputs = [
    field('a', { type: 'number' }),
    field('b', { type: 'number' }),
    field('c', { type: 'array' }),
    field('d', { type: 'object' }),
    field('e', { type: 'boolean' }),
  ];
  const wrong = readForm(workflow(...inputs), { a: 'one', b: 'x', c: '{}', d: '[', e: 'maybe' });
  expect(Object.keys(wrong.problems)).toEqual(['a', 'b', 'c', 'd', 'e']);
  const right = readForm(workflow(...inputs), { a: '2', b: '1.5', c: '["x"]', d: '{"k":1}', e: 'false' });
  expect(right.action.input).toEqual({ a: 2, b: 1.5, c: ['x'], d: { k: 1 }, e: false });
});

test('[U2] a field may be called like something every object has, and spaces are no number', () => {
  expect(readForm(workflow(field('constructor')), {})).toMatchObject({ action: { input: {} }, problems: {} });
  expect(readForm(workflow(field('rounds', { type: 'number' })), { rounds: '  ' }).problems).toHaveProperty('rounds');
});
