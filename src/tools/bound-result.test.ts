import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boundResult } from './bound-result.ts';

const LINES = Array.from({ length: 5000 }, (_, index) => `line ${index + 1} of a long output`);

test('[A6] a result within its bound is sent as it is', () => {
  const text = LINES.slice(0, 500).join('\n');
  expect(boundResult(text, { tool: 'grep', input: {} })).toBe(text);
});

test('[A6] a long result keeps its beginning and its end and says what was left out', () => {
  const sent = boundResult(LINES.join('\n'), { tool: 'execute_terminal', input: {} });
  expect(Buffer.byteLength(sent)).toBeLessThanOrEqual(24_000);
  expect(sent.startsWith('line 1 of')).toBe(true);
  expect(sent.endsWith('line 5000 of a long output')).toBe(true);
  expect(sent).toMatch(
    /\[… \d+ of 133892 characters left out here \(lines \d+ to \d+ of 5000\)\. Run the command again/,
  );
});

test('[A6] the rest of a file is asked for with the first line that was left out', () => {
  const sent = boundResult(LINES.join('\n'), { tool: 'read_file', input: { path: 'a.txt', offset: 101 }, tokens: 500 });
  const [, first = ''] = /\(lines (\d+) to/.exec(sent) ?? [];
  expect(sent).toContain(`line ${Number(first) - 1} of a long output\n[…`);
  expect(sent).toContain(`Read on with offset ${Number(first) + 100} and a limit`);
});

test('[A6] no text is larger than its bound after it was cut, and none is cut inside a character', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 4000 }),
      fc.integer({ min: 1, max: 30 }),
      fc.integer({ min: 150, max: 2000 }),
      (text, times, tokens) => {
        const sent = boundResult(text.repeat(times), { tool: 'other', input: null, tokens });
        expect(Buffer.byteLength(sent)).toBeLessThanOrEqual(Math.max(tokens * 3, 0));
        expect(sent.isWellFormed()).toBe(true);
      },
    ),
    { numRuns: 100 },
  );
});
