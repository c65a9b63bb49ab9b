import { expect, test } from 'vitest';
import { titleOf } from './page-title.ts';

test('[U2] the tab tells how many questions wait', () => {
  expect(titleOf('', 2)).toBe('(2) Troupe');
  expect(titleOf('Board', 0)).toBe('Board · Troupe');
  expect(titleOf('Fix the login', 1)).toBe('(1) Fix the login · Troupe');
});
