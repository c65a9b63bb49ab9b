import { expect, test } from 'vitest';
import { retryAfterMs } from './endpoint-error.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');

test.each([
  [{ 'retry-after': '3' }, 3000],
  [{ 'retry-after': '0.25' }, 250],
  [{ 'retry-after-ms': '120', 'retry-after': '3' }, 120],
  [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:09 GMT' }, 9000],
  [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:09 GMT', date: 'Thu, 01 Jan 2026 00:00:04 GMT' }, 5000],
  [{ 'retry-after': 'Wed, 31 Dec 2025 00:00:00 GMT' }, 0],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'retry-after': 'Infinity' }, undefined],
  [{ 'retry-after-ms': 'Infinity' }, undefined],
  [{ 'retry-after-ms': 'Infinity', 'retry-after': '3' }, 3000],
  [{}, undefined],
])('[L3] the headers %j ask for a wait of %s ms', (headers, expected) => {
  expect(retryAfterMs(headers as Record<string, string>, NOW)).toBe(expected);
});

test.each([307, 400])('[L3] %s digits are no wait, in seconds or in milliseconds', (length) => {
  expect(retryAfterMs({ 'retry-after': '9'.repeat(length) }, NOW)).toBeUndefined();
  expect(retryAfterMs({ 'retry-after-ms': `${'9'.repeat(length)}99` }, NOW)).toBeUndefined();
});
