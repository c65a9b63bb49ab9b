import { expect, test } from 'vitest';
import { costOf } from './model-config.ts';

const usage = {
  inputTokens: 1_000_000,
  outputTokens: 100_000,
  cacheReadTokens: 500_000,
  cacheWriteTokens: 200_000,
  calls: 1,
};

test('[U4] fresh, cached and written tokens each have their price', () => {
  expect(costOf(usage, { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 })).toBeCloseTo(0.6 + 0.1 + 0.5 + 1, 12);
});

test('[U4] cached tokens without a price cost as much as fresh ones', () => {
  expect(costOf(usage, { input: 2, output: 10 })).toBeCloseTo(3, 12);
});

test('[U4] an unknown price or unknown tokens make the cost unknown, a price of zero makes it zero', () => {
  expect(costOf(usage, undefined)).toBeNull();
  expect(costOf(null, { input: 2, output: 10 })).toBeNull();
  expect(costOf(usage, { input: 0, output: 0 })).toBe(0);
});
