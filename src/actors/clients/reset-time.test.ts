import { expect, test } from 'vitest';
import { resetAfterMs } from './client-failure.ts';

const NOW = Date.parse('2026-11-16T10:00:00Z');
const HOUR = 3_600_000;

test.each([
  ['Claude AI usage limit reached|1794830400', 2 * HOUR],
  ['limit reached (resets_at: 1794826800)', HOUR],
  ['Limit reached. Resets at 2026-11-16T13:00:00Z.', 3 * HOUR],
  ['5-hour limit reached · resets 3pm (UTC)', 5 * HOUR],
  ["You've hit your session limit · resets 12:30pm (Europe/Berlin)", 1.5 * HOUR],
  ["You've hit your limit · resets 9am (UTC)", 23 * HOUR],
  ["You've hit your weekly limit · resets Nov 20, 10am (UTC)", 96 * HOUR],
  ['weekly limit · resets Jan 1, 12am (UTC)', 1094 * HOUR],
  ['You have hit your usage limit. Try again in 3 hours 20 minutes.', 200 * 60_000],
  ['usage limit reached, try again in 2d 4h', 52 * HOUR],
  ['You’ve hit your usage limit. Visit https://x.test/a or try again at 6:13 PM (UTC).', 8 * HOUR + 13 * 60_000],
  ['usage limit. Please try again at Nov 19th, 2026 5:13 AM (UTC).', 67 * HOUR + 13 * 60_000],
  ['limit reached · resets at 23:15 (UTC)', 13.25 * HOUR],
  ['resets 3pm (No/Where)', 5 * HOUR],
  ['limit reached|1794820000', 0],
  ['limit reached · resets 10am (UTC)', 0],
  ['limit reached · resets 9:56am (UTC)', 0],
  ['limit reached · resets 9:54am (UTC)', 24 * HOUR - 6 * 60_000],
  ['weekly limit · resets Nov 16, 9:58am (UTC)', 0],
])('%s', (words, wait) => {
  expect(resetAfterMs(words, NOW)).toBe(wait);
});

test.each(['Rate limited.', '', 'It resets.', 'resets soon', 'HTTP 429', 'Try again later.'])(
  'there is no time in %j',
  (words) => {
    expect(resetAfterMs(words, NOW)).toBeUndefined();
  },
);

test('a reset that was just before midnight, or before the year began, was just now', () => {
  const newYear = Date.parse('2027-01-01T00:01:00Z');
  expect(resetAfterMs('limit reached · resets 11:59pm (UTC)', newYear)).toBe(0);
  expect(resetAfterMs('limit reached · resets Dec 31, 11:59pm (UTC)', newYear)).toBe(0);
});
