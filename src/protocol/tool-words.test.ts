import { expect, test } from 'vitest';
import { shortLine, toolTarget } from './tool-words.ts';

test('[U2] a tool call is shown as its file, its command, or else its first text', () => {
  expect(toolTarget({ content: 'long', path: 'src/a.ts' })).toBe('src/a.ts');
  expect(toolTarget({ command: 'node --test', timeout: 3 })).toBe('node --test');
  expect(toolTarget({ anything: 'this' })).toBe('this');
  expect(toolTarget({ count: 3 })).toBe('');
  expect(toolTarget(null)).toBe('');
});

test('[U2] a line has no line ends and is never long', () => {
  expect(shortLine('a\n  b\tc')).toBe('a b c');
  expect(shortLine('x'.repeat(100_000))).toHaveLength(160);
});
