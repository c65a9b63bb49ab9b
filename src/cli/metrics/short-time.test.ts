import { expect, test } from 'vitest';
import { shortTime } from './short-time.ts';

test.each([
  [0, '0 ms'],
  [999, '999 ms'],
  [1000, '1.0 s'],
  [59_949, '59.9 s'],
  [59_950, '1m 00s'],
  [200_000, '3m 20s'],
  [3_599_999, '1h 00m'],
  [7_500_000, '2h 05m'],
  [86_399_999, '1d 0h'],
  [356_400_000, '4d 3h'],
])('[PH8] %d ms are %s', (ms, text) => {
  expect(shortTime(ms)).toBe(text);
});
