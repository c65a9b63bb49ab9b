import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../model/json.ts';
import { patchBetween, patched } from './patch.ts';

const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>;
const object = fc.dictionary(fc.string({ maxLength: 3 }), json, { maxKeys: 5 }) as fc.Arbitrary<JsonObject>;
const clean = (value: JsonObject): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject;

describe('a patch', () => {
  test('[L2] leads from any object to any other one, also through text', () => {
    fc.assert(
      fc.property(object, object, (first, second) => {
        const [before, after] = [clean(first), clean(second)];
        const patch = patchBetween(before, after);
        expect(patched(before, patch === null ? {} : clean(patch as unknown as JsonObject))).toEqual(after);
      }),
    );
  });

  test('[L2] leads back from a list that grew, was used up and changed inside', () => {
    const lists = fc.record({
      list: fc.array(json, { maxLength: 6 }),
      more: fc.array(json, { maxLength: 3 }),
      n: fc.nat(6),
      value: json,
    });
    fc.assert(
      fc.property(lists, ({ list, more, n, value }) => {
        const before = clean({ list });
        const rest = list.slice(n);
        const after = clean({
          list: [...(rest.length > 0 ? [...rest.slice(0, -1), { was: rest.at(-1) ?? null, value }] : []), ...more],
        });
        expect(patched(before, patchBetween(before, after) ?? {})).toEqual(after);
      }),
    );
  });

  test.each<[string, JsonObject, JsonObject, unknown]>([
    ['nothing', { a: [1] }, { a: [1] }, null],
    ['a new key', { a: 1 }, { a: 1, b: 2 }, { set: { b: 2 } }],
    ['a key that went', { a: 1, b: 2 }, { b: 2 }, { unset: ['a'] }],
    ['a key inside', { a: { b: 1, c: 2 } }, { a: { b: 9, c: 2 } }, { inside: { a: { set: { b: 9 } } } }],
    ['all keys inside', { a: { b: 1 } }, { a: { b: 2 } }, { set: { a: { b: 2 } } }],
    ['items at the end', { a: [1, 2] }, { a: [1, 2, 3] }, { inside: { a: { add: [3] } } }],
    ['items of the front', { a: [1, 2, 3] }, { a: [3] }, { inside: { a: { drop: 2 } } }],
    ['both', { a: [1, 2] }, { a: [2, 3] }, { inside: { a: { drop: 1, add: [3] } } }],
    [
      'an item',
      { a: [{ b: 1, c: 1 }, 2] },
      { a: [{ b: 2, c: 1 }, 2] },
      { inside: { a: { inside: { 0: { set: { b: 2 } } } } } },
    ],
    ['a shorter list', { a: [1, 2] }, { a: [1] }, { set: { a: [1] } }],
    ['another kind', { a: [1] }, { a: { 0: 1 } }, { set: { a: { 0: 1 } } }],
    ['the first items of a list', { a: [] }, { a: [1] }, { set: { a: [1] } }],
  ])('[L2] tells %s', (_what, before, after, patch) => {
    expect(patchBetween(before, after)).toEqual(patch);
    expect(patched(before, patchBetween(before, after) ?? {})).toEqual(after);
  });

  test('[L9] unchanged parts are not copied, and the input is not changed', () => {
    const before: JsonObject = { a: { b: [1, 2], c: { d: 1 } } };
    const after = patched(before, { inside: { a: { inside: { b: { add: [3] } } } } });
    expect(before).toEqual({ a: { b: [1, 2], c: { d: 1 } } });
    expect((after['a'] as JsonObject)['c']).toBe((before['a'] as JsonObject)['c']);
  });

  test('[U5] a patch of a missing value changes nothing else', () => {
    expect(patched({ b: 1 }, { inside: { a: { add: [1] } } })).toMatchObject({ b: 1 });
  });

  test('[L2] a key is only a name', () => {
    const after = patched(
      { a: {} },
      JSON.parse('{"set":{"__proto__":1},"inside":{"a":{"set":{"__proto__":{"b":1}}}}}') as object,
    );
    expect(Object.keys(after)).toEqual(['a', '__proto__']);
    expect(({} as Record<string, unknown>)['b']).toBeUndefined();
  });
});
