import { expect, test } from 'vitest';
import { parseJson, parseObject } from './json.ts';

test('a JSON text gives its value, any other text the fallback', () => {
  expect(parseJson('[1,null]', 'fallback')).toEqual([1, null]);
  expect(parseJson('null', undefined)).toBeNull();
  expect(parseJson('{"cut', undefined)).toBeUndefined();
});

test('only the text of a JSON object gives an object', () => {
  expect(parseObject('{"a":1}')).toEqual({ a: 1 });
  for (const text of ['[1]', 'null', '"a"', '', '{"cut']) expect(parseObject(text)).toBeNull();
});
