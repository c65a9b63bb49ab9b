import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineSplitter } from './line-splitter.ts';

const linesOf = (chunks: readonly Buffer[], max?: number) => {
  const splitter = new LineSplitter(max);
  return [...chunks.flatMap((chunk) => splitter.push(chunk)), ...splitter.end()];
};
const texts = (...chunks: readonly string[]) =>
  linesOf(chunks.map((chunk) => Buffer.from(chunk))).map(({ text }) => text);

test('lines come whole, whatever their end is and wherever they were cut', () => {
  expect(texts('{"a":1}\n{"b"', ':2}\r', '\n\n  \n{"c":3}')).toEqual(['{"a":1}', '{"b":2}', '{"c":3}']);
  expect(texts('')).toEqual([]);
  expect(texts('\r\n\n')).toEqual([]);
});

test('a character that was cut in the middle comes whole', () => {
  const bytes = Buffer.from('äöü 🎭\n');
  const single = [...bytes].map((byte) => Buffer.from([byte]));
  expect(linesOf(single)).toEqual([{ text: 'äöü 🎭', isCut: false }]);
});

test('a line without end keeps its beginning and says so; the next one is whole again', () => {
  const chunks = ['0123456', '789012345\nnext\n'].map((chunk) => Buffer.from(chunk));
  expect(linesOf(chunks, 10)).toEqual([
    { text: '0123456789', isCut: true },
    { text: 'next', isCut: false },
  ]);
});

test('any text in any pieces gives the lines that the whole text has', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' })), fc.array(fc.nat(12)), (words, cuts) => {
      const bytes = Buffer.from(words.join('\n'));
      const pieces: Buffer[] = [];
      let from = 0;
      for (const cut of cuts) {
        pieces.push(bytes.subarray(from, from + cut));
        from += cut;
      }
      pieces.push(bytes.subarray(from));
      const whole = bytes
        .toString('utf8')
        .split('\n')
        .map((line) => line.replace(/\r$/, ''))
        .filter((line) => line.trim() !== '');
      expect(linesOf(pieces).map(({ text }) => text)).toEqual(whole);
    }),
  );
});
