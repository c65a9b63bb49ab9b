import { expect, test } from 'vitest';
import { oneLine, plainText } from './plain-text.ts';

const HOSTILE = {
  'a colour': '\u001B[31mred\u001B[0m',
  'a window title': '\u001B]0;owned\u0007title',
  'a title ended by ST': '\u001B]2;owned\u001B\\title',
  'an 8-bit title': '\u009D0;owned\u009Ctitle',
  'a device string': '\u001BP1;2|secret\u001B\\x',
  'an application command': '\u001B_payload\u001B\\x',
  'a privacy message': '\u001B^payload\u001B\\x',
  'an 8-bit sequence': '\u009B31mred',
  'a carriage return': 'safe\rharm',
  'a backspace': 'ab\b\bxy',
  'a bell': 'ding\u0007',
  'a delete': 'a\u007Fb',
  'a nul': 'a\0b',
  'right to left': 'a\u202Eb\u2066c\u2069',
  'zero width': 'a\u200Bb\uFEFFc\u200Dd',
  'tag characters': 'a\u{E0041}\u{E0042}b',
  'a nested escape': '\u001B\u001B[31mx',
  'an escape inside another': '\u001B[\u001B[31m31mx',
  'an unfinished sequence': 'x\u001B[31',
  'an unfinished title': 'x\u001B]0;never ended',
  'a link': '\u001B]8;;http://evil\u0007click\u001B]8;;\u0007',
};

for (const [name, text] of Object.entries(HOSTILE)) {
  test(`[U1] ${name} in what an agent says does not reach the terminal`, () => {
    expect(plainText(text)).not.toMatch(/(?![\t\n])[\p{Cc}\p{Cf}]/u);
  });
}

test('[U1] ordinary text, line breaks, tabs and other scripts are left as they are', () => {
  const text = 'Grüße\n\tこんにちは 🙂 – "fine"';
  expect(plainText(text)).toBe(text);
});

test('[U1] hundreds of thousands of unfinished sequences are cleaned in linear time', () => {
  const started = performance.now();
  expect(plainText('\u001B]'.repeat(200_000))).toBe('');
  expect(performance.now() - started).toBeLessThan(2000);
});

test('[U1] a lone surrogate becomes a visible replacement', () => {
  expect(plainText('a\uD800b')).toBe('a\uFFFDb');
});

test('[U1] one line is cut where it is too long', () => {
  expect(oneLine('one\ntwo   three', 8)).toBe('one two…');
});
