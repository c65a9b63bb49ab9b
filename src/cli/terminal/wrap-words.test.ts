import { expect, test } from 'vitest';
import { wrapWords } from './wrap-words.ts';

test('[U1] a long line is cut between words, and continues below at the given column', () => {
  expect(wrapWords('one two three four', { width: 9 })).toBe('one two\nthree\nfour');
  expect(wrapWords('one two three', { width: 9, first: 4, indent: '  ' })).toBe('one\n  two\n  three');
  expect(wrapWords('short', { width: 80 })).toBe('short');
});

test('[U1] a word that is wider than the terminal stays whole', () => {
  expect(wrapWords('see /a/very/long/path now', { width: 8, indent: '  ' })).toBe('see\n  /a/very/long/path\n  now');
});
