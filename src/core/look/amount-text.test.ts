import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ageText, costText, durationText, knownCostText } from './amount-text.ts';

test.each([
  [-5, '0 ms'],
  [0, '0 ms'],
  [999.4, '999 ms'],
  [999.5, '1.0 s'],
  [4250, '4.3 s'],
  [9949, '9.9 s'],
  [9950, '10 s'],
  [59_499, '59 s'],
  [59_500, '1m 00s'],
  [185_000, '3m 05s'],
  [3_599_999, '1h 00m'],
  [7_500_000, '2h 05m'],
  [86_399_999, '1d 0h'],
  [356_400_000, '4d 3h'],
])('[U2] %d ms are shown as %s', (ms, text) => {
  expect(durationText(ms)).toBe(text);
});

test.each([
  [null, 'cost unknown'],
  [0, '$0.00'],
  [1e-9, '< $0.000001'],
  [0.000_001_2, '$0.000001'],
  [0.000_125, '$0.00013'],
  [0.0042, '$0.0042'],
  [0.006, '$0.006'],
  [0.00994, '$0.0099'],
  [0.00996, '$0.01'],
  [0.126, '$0.13'],
  [99.5, '$99.50'],
  [1234.6, '$1,234.60'],
  [1_234_567, '$1,234,567.00'],
])('[U2] a cost of %s is shown as %s', (usd, text) => {
  expect(costText(usd)).toBe(text);
});

test('[U2] a cost above zero is never shown as zero, and is at most one part in twenty off', () => {
  fc.assert(
    fc.property(fc.double({ min: 0.000_01, max: 1e9, noNaN: true }), (usd) => {
      const shown = Number(costText(usd).replaceAll(/[$,]/g, ''));
      expect(Math.abs(shown - usd)).toBeLessThanOrEqual(Math.max(usd / 20, usd < 0.01 ? 0 : 0.0051));
    }),
  );
});

test('[U2] a cost that is partly unknown is marked', () => {
  expect(knownCostText({ costUsd: 0.5, knownCostUsd: 0.5 })).toBe('$0.50');
  expect(knownCostText({ costUsd: null, knownCostUsd: 0.5 })).toBe('$0.50 + unknown');
  expect(knownCostText({ costUsd: null, knownCostUsd: 0 })).toBe('cost unknown');
});

test('[U2] an age is never rounded up', () => {
  expect([0, 59_999, 3_599_999, 86_399_999, 172_800_000].map(ageText)).toEqual(['0s', '59s', '59m', '23h', '2d']);
});
