import { expect, test } from 'vitest';
import { chooseEncoding } from './choose-encoding.ts';

test.for([
  ['gzip, deflate, br', 'br'],
  ['gzip, deflate', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br; q=0.000, gzip;q=0', null],
  ['gzip;q=0.5, BR;q=0.1', 'br'],
  ['*', 'br'],
  ['br;q=0, *', 'gzip'],
  ['brotli, x-gzip', null],
  ['identity', null],
  [undefined, null],
] as const)('[U2] a client that accepts "%s" gets %s', ([header, encoding]) => {
  expect(chooseEncoding(header, ['br', 'gzip'])).toBe(encoding);
});
