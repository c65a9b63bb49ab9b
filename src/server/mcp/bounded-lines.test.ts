import { expect, test } from 'vitest';
import { BoundedLines, TOO_LONG } from './bounded-lines.ts';

const fed = (lines: BoundedLines, ...pieces: readonly string[]): readonly (string | null)[] =>
  pieces.flatMap((piece) =>
    [...lines.take(Buffer.from(piece, 'latin1'))].map((line) => (line === TOO_LONG ? null : line.toString('latin1'))),
  );

test('[U9] lines are the same however they were cut', () => {
  const text = 'one\n\ntwo and more\nthree';
  for (let size = 1; size <= text.length; size += 1) {
    const lines = new BoundedLines(12);
    const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
    expect(fed(lines, ...pieces)).toEqual(['one', '', 'two and more']);
    expect(lines.isInside).toBe(true);
  }
});

test('[U9] a line that is too long is reported once, at once, and the next one is whole', () => {
  const lines = new BoundedLines(4);
  expect(fed(lines, 'abcd\nab', 'cde', 'x'.repeat(1000))).toEqual(['abcd', null]);
  expect(lines.isInside).toBe(false);
  expect(fed(lines, 'end of it\nnext\n', '12345\n', 'a\n')).toEqual(['next', null, 'a']);
});
