import { expect, test } from 'vitest';
import { paintFor } from '../terminal/colour.ts';
import { patchText } from './change-lines.ts';

const plain = paintFor({}, { NO_COLOR: '1' });
const coloured = paintFor({}, { FORCE_COLOR: '1' });

test('[U1] what would steer a terminal or hide from a reviewer is written out', () => {
  const patch = Buffer.from('+a\u001B]0;title\u0007b\u202Ec\u200B\r\n+\ttab\n');
  expect(patchText(patch, plain)).toBe('+a<U+001B>]0;title<U+0007>b<U+202E>c<U+200B><U+000D>\n+\ttab\n');
});

test('[U1] bytes that are no text do no harm', () => {
  expect(patchText(Buffer.from([0x2b, 0xff, 0x9b, 0x0a]), plain)).toMatch(/^\+\uFFFD+\n$/);
});

test('[U1] a header is not taken for lines that were added or removed', () => {
  const patch = 'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n same\n';
  const lines = patchText(Buffer.from(patch), coloured).split('\n');
  expect(lines.slice(0, 3).every((line) => line.startsWith('\u001B[1m'))).toBe(true);
  expect(lines[4]).toBe('\u001B[31m-old\u001B[39m');
  expect(lines[5]).toBe('\u001B[32m+new\u001B[39m');
  expect(lines[6]).toBe(' same');
});
