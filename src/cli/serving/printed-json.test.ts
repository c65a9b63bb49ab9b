import { expect, test } from 'vitest';
import { printedJson } from './printed-json.ts';

test('[U2] one value, a value a line, a value over lines, or nothing', () => {
  expect(printedJson('{"a":1}\n')).toEqual({ a: 1 });
  expect(printedJson('{"a":1}\n{"a":2}\n')).toEqual([{ a: 1 }, { a: 2 }]);
  expect(printedJson('{\n  "a": 1\n}\n')).toEqual({ a: 1 });
  expect(printedJson('')).toBeNull();
  expect(() => printedJson('oh\n')).toThrow('no JSON');
  expect(() => printedJson('{"a":1}\noh\n')).toThrow('no JSON');
});
