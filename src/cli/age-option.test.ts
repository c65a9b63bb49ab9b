import { expect, test } from 'vitest';
import { ageOption, type Invocation } from './invocation.ts';

const age = (since: string): number | undefined =>
  ageOption({ words: [], options: { since } } as unknown as Invocation, 'since');

test('[U1] a length of time has a unit', () => {
  expect(['30d', '12h', '45m', '2w', '0d', '1.5h', '10s'].map(age)).toEqual([
    30 * 86_400_000,
    12 * 3_600_000,
    45 * 60_000,
    14 * 86_400_000,
    0,
    5_400_000,
    10_000,
  ]);
});

test.each(['30', '', 'd', '-1d', '3 days', '1y', '1e3d'])('[L3] %j is refused with an example', (text) => {
  expect(() => age(text)).toThrow(expect.objectContaining({ code: 'USAGE', hint: expect.stringContaining('30d') }));
});
