import { expect, test } from 'vitest';
import { Fault } from '../core/model/fault.ts';
import type { Json } from '../core/model/json.ts';
import { schemaProblem, validateArguments } from './validate-arguments.ts';

const schema = {
  type: 'object',
  properties: {
    verdict: { type: 'string', enum: ['APPROVE', 'REVISE'] },
    count: { type: 'integer', minimum: 1 },
    notes: { type: 'array', items: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } },
  },
  required: ['verdict'],
};

test.each<[Json, string | null]>([
  [{ verdict: 'APPROVE' }, null],
  [{ verdict: 'APPROVE', count: 2, notes: [{ text: 'x', more: 1 }], other: true }, null],
  [{}, 'verdict: expected one of "APPROVE"|"REVISE"'],
  [{ verdict: 'MAYBE' }, 'verdict: expected one of "APPROVE"|"REVISE"'],
  [{ verdict: 'APPROVE', count: 0 }, 'count: Too small: expected number to be >=1'],
  [{ verdict: 'APPROVE', count: '1' }, 'count: expected number, received string'],
  [{ verdict: 'APPROVE', notes: [{ text: 'x' }, {}] }, 'notes[1].text: is missing (string)'],
  ['text', 'expected object, received string'],
  [null, 'expected object, received null'],
])('[SM7] %j against the schema gives %j', (value, expected) => {
  expect(validateArguments(schema, value)).toBe(expected);
});

test('[SM7] unknown keys are named where the schema forbids them', () => {
  const closed = { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false };
  expect(validateArguments(closed, { a: 'x', b: 1, c: 2 })).toBe('unknown "b", "c"');
});

test('[SM7] all problems are reported at once', () => {
  expect(validateArguments(schema, { count: 0 })?.split('; ')).toHaveLength(2);
});

test('[L8] a pattern in a schema cannot hang the process', () => {
  const trap = { type: 'object', properties: { name: { type: 'string', pattern: '^(a+)+$' } }, required: ['name'] };
  expect(validateArguments(trap, { name: 'aaa' })).toBeNull();
  expect(validateArguments(trap, { name: `${'a'.repeat(60)}!` })).toContain('took too long');
  expect(validateArguments(trap, { name: 'b' })).toContain('name: ');
});

test('[L8] __proto__ is refused at any depth', () => {
  const value = JSON.parse('{"verdict":"APPROVE","notes":[{"text":"x","__proto__":{"polluted":1}}]}') as Json;
  expect(validateArguments(schema, value)).toContain('__proto__');
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
});

test('[L3] a schema that is no good is a fault with a code', () => {
  const wrong = { type: 'strin' };
  expect(schemaProblem(wrong)).toContain('strin');
  expect(schemaProblem(schema)).toBeNull();
  expect(() => validateArguments(wrong, {})).toThrow(Fault);
});
