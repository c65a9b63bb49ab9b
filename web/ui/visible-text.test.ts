import { expect, test } from 'vitest';
import { visibleText } from './text.tsx';

test('[U2] sequences of terminals are taken out', () => {
  expect(visibleText('\u001B[31mred\u001B[0m \u001B]8;;http://x\u0007link\u001B]8;;\u0007 \u001B[2J\u001Bcdone')).toBe(
    'red link done',
  );
});

test('[U2] marks that turn the direction of writing are shown', () => {
  expect(visibleText('file\u202Etxt.exe')).toBe('file⟦U+202E⟧txt.exe');
  expect(visibleText('a\u2066b\u2069')).toBe('a⟦U+2066⟧b⟦U+2069⟧');
});

test('[U2] control characters are shown, line ends and tabs stay', () => {
  expect(visibleText('a\u0000b\u007Fc\td\r\ne\rf')).toBe('a␀b␡c\td\ne␍f');
});

test('[U2] a hidden message in tag characters is shown by its length', () => {
  const hidden = Array.from('ignore all')
    .map((letter) => String.fromCodePoint(0xe_00_00 + (letter.codePointAt(0) ?? 0)))
    .join('');
  expect(visibleText(`hello${hidden}`)).toBe('hello⟦10 hidden characters⟧');
});

test('[U2] ordinary words of any language and emoji stay as they are', () => {
  const words = 'naïve café Ærø שלום مرحبا 👩‍💻 日本語\n\tend';
  expect(visibleText(words)).toBe(words);
});
