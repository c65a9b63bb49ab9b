import { expect, test } from 'vitest';
import { formatAgo, formatBytes, formatClock, formatCount, formatDuration, formatMoney } from './format.ts';

test('[U2] durations are told in the two units that matter', () => {
  expect([0, 340, 4250, 12_000, 185_000, 7_800_000, 273_600_000].map(formatDuration)).toEqual([
    '0 ms',
    '340 ms',
    '4.2 s',
    '12 s',
    '3 m 05 s',
    '2 h 10 m',
    '3 d 4 h',
  ]);
  expect(formatDuration(-5)).toBe('0 ms');
});

test('[U2] an unknown price is said and is not zero', () => {
  expect(formatMoney(null)).toBe('price unknown');
  expect([0, 0.004, 0.126, 99.5, 1234.6].map(formatMoney)).toEqual(['$0', '< $0.01', '$0.13', '$99.50', '$1,235']);
});

test('[U2] counts are short', () => {
  expect([0, 812, 1000, 14_210, 141_900, 999_600, 3_140_000].map(formatCount)).toEqual([
    '0',
    '812',
    '1k',
    '14.2k',
    '142k',
    '1M',
    '3.1M',
  ]);
  expect([12, 1200, 5_000_000].map(formatBytes)).toEqual(['12 B', '1.2 kB', '5 MB']);
});

test('[U2] a moment is told by its age', () => {
  const now = Date.UTC(2026, 0, 20);
  expect(
    [1000, 30_000, 240_000, 7_200_000, 200_000_000, 1_000_000_000].map((age) => formatAgo(now - age, now)),
  ).toEqual(['now', '30 s ago', '4 m ago', '2 h ago', '2 d ago', '2026-01-08']);
});

test('[U2] a time of day is the same wherever it stands, whatever the language of the browser', () => {
  expect(formatClock(new Date(2026, 0, 20, 14, 3, 7).getTime())).toBe('14:03:07');
});
