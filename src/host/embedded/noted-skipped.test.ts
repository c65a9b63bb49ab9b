import { expect, test } from 'vitest';
import { notedSkipped } from './noted-skipped.ts';

test('[FI4] if no file was skipped nothing is noted, so that a journal looks as it did before', () => {
  expect(notedSkipped([])).toEqual({});
});

test('[FI4] [C35] twenty skipped files are noted with the number of all, by names that can be printed', () => {
  const many = Array.from({ length: 25 }, (_, at) => ({ path: `${at}.sock\u001b`, why: 'special' as const }));
  const { skipped } = notedSkipped(many);
  expect(skipped?.count).toBe(25);
  expect(skipped?.some).toHaveLength(20);
  // oxlint-disable-next-line no-control-regex
  expect(JSON.stringify(skipped)).not.toMatch(/\u001b/);
});
