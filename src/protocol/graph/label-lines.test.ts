import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clippedTo, EDGE_SIZE, labelLines, labelSize, textWidth } from './label-lines.ts';

test('[U9] what stands on an edge has two lines at most, which fit the box that was kept for them', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
      const lines = labelLines(text);
      const size = labelSize(text);
      expect(lines.length).toBeLessThanOrEqual(2);
      expect(size === null).toBe(lines.length === 0);
      for (const line of lines) expect(textWidth(line, EDGE_SIZE)).toBeLessThanOrEqual(size?.width ?? 0);
      expect(size?.width ?? 0).toBeLessThanOrEqual(192);
    }),
  );
});

test('[U9] a label breaks between words, and in one only where a line would be almost empty', () => {
  expect(labelLines('next === "pathseeker" and more of it')).toEqual(['next === "pathseeker"', 'and more of it']);
  expect(labelLines(`if \${check.output.report.status == 'failed'}`)[0]).toMatch(/^if \$\{check/);
  expect(labelLines('  ')).toEqual([]);
});

test('[U9] wide characters count as wide, and what is cut says so', () => {
  expect(textWidth('状態', 10)).toBeGreaterThan(textWidth('ab', 10));
  expect(clippedTo('implementation', 40, 13)).toMatch(/^impl?.*…$/);
  expect(clippedTo('ok', 40, 13)).toBe('ok');
});
