import { expect, test } from 'vitest';
import { titleOf, titleWords } from './page-title.ts';

test('[U2] the tab tells how many questions wait', () => {
  expect(titleOf('', 2)).toBe('(2) Troupe');
  expect(titleOf('Board', 0)).toBe('Board · Troupe');
  expect(titleOf('Fix the login', 1)).toBe('(1) Fix the login · Troupe');
});

test('[U2] [L4] the tab of a run that did not come out well says so', () => {
  expect(titleWords('Fix the login', 'ok')).toBe('Fix the login');
  expect(titleWords('Fix the login', 'running')).toBe('Fix the login');
  expect(titleWords('Fix the login', 'not verified')).toBe('not verified: Fix the login');
  expect(titleWords('Fix the login', 'failed')).toBe('failed: Fix the login');
});
