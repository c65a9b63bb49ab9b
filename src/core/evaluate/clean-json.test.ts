import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { cleanJson } from './clean-json.ts';
import { EvaluationError } from './evaluation-error.ts';
import type { Json } from '../model/json.ts';
import { jsonEqual } from '../model/json-equal.ts';

/** JSON with holes: undefined wherever JavaScript allows it. */
const holed = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constant(undefined),
    fc.string(),
    fc.integer(),
    fc.constant(-0),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(
      fc.string().filter((key) => key !== '__proto__'),
      tie('value'),
      { maxKeys: 4, noNullPrototype: true },
    ),
  ),
})).value;

test('[L9] a cleaned value is what JSON makes of it', () => {
  fc.assert(
    fc.property(holed, (value) => {
      const text = JSON.stringify(value) as string | undefined;
      expect(cleanJson(value)).toEqual(text === undefined ? undefined : JSON.parse(text));
    }),
  );
});

test('[L9] a clean value is not copied', () => {
  const value = { list: [1, 'x', { deep: null }] };
  expect(cleanJson(value)).toBe(value);
});

test('[L3] what JSON would damage or blow up is refused', () => {
  let deep: unknown = 1;
  for (let level = 0; level < 600; level += 1) deep = [deep];
  let wide: unknown = 'x'.repeat(100);
  for (let level = 0; level < 60; level += 1) wide = [wide, wide];
  const own = JSON.parse('{"__proto__":1}') as unknown;
  for (const value of [Number.NaN, [Infinity], 1n, () => 1, Symbol('s'), 'x'.repeat(1_000_001), deep, wide, { own }]) {
    expect(() => cleanJson(value)).toThrow(EvaluationError);
  }
});

test('[L9] two values are equal when their canonical JSON is', () => {
  const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;
  fc.assert(
    fc.property(json, json, (left, right) => {
      expect(jsonEqual(left, structuredClone(left))).toBe(true);
      expect(jsonEqual(left, right)).toBe(canonical(left) === canonical(right));
    }),
  );
  expect(jsonEqual({ a: 1, b: 2 }, { b: 2, a: 1 })).toBe(true);
  expect(jsonEqual({ toString: 1 }, { other: 1 })).toBe(false);
  expect(jsonEqual([], {})).toBe(false);
  expect(jsonEqual(undefined, null)).toBe(false);
});

function canonical(value: Json): string {
  return JSON.stringify(value, (_, inner: Json) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? { object: Object.entries(inner).toSorted(([left], [right]) => (left < right ? -1 : 1)) }
      : inner,
  );
}
