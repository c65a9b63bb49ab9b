import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createWorkflowState } from './workflow-state.ts';
import { freeze, revive } from './keep-state.ts';

const throughText = (value: unknown): unknown => revive(JSON.parse(JSON.stringify(freeze(value))));

const key = fc.oneof(
  fc.string(),
  fc.constantFrom('$map', '$set', '$object', '$date', '$number', '$bigint', '$undefined', '__proto__', 'constructor'),
);

const { value: anyValue } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(
      fc.string(),
      fc.boolean(),
      fc.constant(null),
      fc.double(),
      fc.integer(),
      fc.bigInt(),
      fc.constant(undefined),
      fc.date(),
    ),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(key, tie('value')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
    fc.array(fc.tuple(fc.string(), tie('value')), { maxLength: 4 }).map((entries) => new Map(entries)),
    fc.array(tie('value'), { maxLength: 4 }).map((items) => new Set(items)),
  ),
}));

test('[ST2] whatever a workflow may keep comes back as it was, Maps and Sets included', () => {
  fc.assert(
    fc.property(anyValue, (value) => {
      expect(throughText(value)).toEqual(value);
    }),
    { numRuns: 500 },
  );
});

test('[ST2] keeping twice is keeping once', () => {
  fc.assert(
    fc.property(anyValue, (value) => {
      const once = freeze(value);
      expect(freeze(revive(once))).toEqual(once);
    }),
  );
});

test('[ST2] a state of a workflow comes back with its Maps and Sets', () => {
  const state = createWorkflowState('research', 's1');
  state.agentStates.set('researcher', { role: 'researcher', status: 'idle' });
  state.processedMessageIds.add('m1');
  state.iterationCounts.set('deep_dive', 2);
  expect(throughText(state)).toStrictEqual(state);
});

test('an object that looks like a tag stays an object', () => {
  for (const odd of [{ $map: [1] }, { $set: 'x' }, { $object: { $map: [] } }, { $number: 'NaN' }]) {
    expect(throughText(odd)).toEqual(odd);
  }
});

test('what cannot be kept is a fault that names its place', () => {
  const circle: Record<string, unknown> = {};
  circle.self = circle;
  class Thing {
    readonly size = 1;
  }
  const cases: readonly [unknown, string][] = [
    [{ a: [() => 1] }, 'state.a[0] is a function'],
    [{ m: new Map([['k', Symbol('s')]]) }, 'state.m.get("k") is a symbol'],
    [circle, 'state.self is part of itself'],
    [{ t: new Thing() }, 'state.t is an instance of Thing'],
  ];
  for (const [value, words] of cases) {
    expect(() => freeze(value)).toThrowError(expect.objectContaining({ code: 'STATE_NOT_KEPT' }));
    expect(() => freeze(value)).toThrowError(words);
  }
});

test('the same object in two places is kept twice, which is no circle', () => {
  const shared = { n: 1 };
  expect(throughText({ a: shared, b: shared })).toEqual({ a: { n: 1 }, b: { n: 1 } });
});

test('a value nested too deep is refused, not a crash', () => {
  let deep: unknown = 1;
  for (let level = 0; level < 5000; level++) deep = [deep];
  expect(() => freeze(deep)).toThrowError('nested more than 500');
});
