import { expect, test } from 'vitest';
import { shortCount } from '../../src/core/look/amount-text.ts';
import { space } from '../../src/protocol/amounts.ts';
import { formatAgo, formatClock } from './figures.tsx';

test('[U2] counts are short', () => {
  expect([0, 812, 1000, 14_210, 141_900, 999_600, 3_140_000].map(shortCount)).toEqual([
    '0',
    '812',
    '1k',
    '14.2k',
    '142k',
    '1M',
    '3.1M',
  ]);
  expect([1, 12, 1200, 999_999, 5_000_000].map(space)).toEqual(['1 byte', '12 bytes', '1.2 KB', '1 MB', '5 MB']);
});

test('[U2] a moment is shown by its age', () => {
  const now = Date.UTC(2026, 0, 20);
  expect(
    [1000, 30_000, 240_000, 7_200_000, 200_000_000, 1_000_000_000].map((age) => formatAgo(now - age, now)),
  ).toEqual(['now', '30s ago', '4m ago', '2h ago', '2d ago', '2026-01-08']);
});

test('[U2] a time of day is the same wherever it stands, whatever the language of the browser', () => {
  expect(formatClock(new Date(2026, 0, 20, 14, 3, 7).getTime())).toBe('14:03:07');
});
