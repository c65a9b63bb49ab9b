import { expect, test } from 'vitest';
import type { WordsLine } from '../../protocol/web/live-words.ts';
import { SentWords, WordBook } from './word-book.ts';

const line = (text: string, offset: number, parts: Partial<WordsLine> = {}): WordsLine => ({
  run: 'r',
  task: 't1',
  agent: 'coder',
  offset,
  text,
  after: 3,
  ...parts,
});

const textOf = (book: WordBook, sent = new SentWords()): readonly (readonly [number, string])[] =>
  sent.news(book, ['r']).map(({ offset, text }) => [offset, text] as const);

test('[U2] [WL15] words come in pieces, each stream gets of them what it has not had', () => {
  const book = new WordBook();
  const [early, late] = [new SentWords(), new SentWords()];
  book.take(line('Hel', 0));
  expect(textOf(book, early)).toEqual([[0, 'Hel']]);
  expect(textOf(book, early)).toEqual([]);
  book.take(line('lo', 3));
  expect(textOf(book, early)).toEqual([[3, 'lo']]);
  expect(textOf(book, late)).toEqual([[0, 'Hello']]);
});

test('[U2] [WL15] an answer that is sent again from its beginning is the same one; with other words it is a new one', () => {
  const book = new WordBook();
  const sent = new SentWords();
  book.take(line('Hello', 0));
  textOf(book, sent);
  book.take(line('Hello you', 0));
  expect(textOf(book, sent)).toEqual([[5, ' you']]);
  book.take(line('Other', 0));
  expect(textOf(book, sent)).toEqual([[0, 'Other']]);
  expect(book.take(line('Oth', 0, { task: 't1' })) && textOf(book, sent)).toEqual([[0, 'Oth']]);
});

test('[U2] [WL15] with the record of the answer its words are gone, and what comes late is no news', () => {
  const book = new WordBook();
  book.take(line('Hello', 0));
  book.end('r', 't1', 7);
  expect(textOf(book)).toEqual([]);
  expect(book.take(line(' late', 5, { after: 6 }))).toBe(false);
  expect(textOf(book)).toEqual([]);
  expect(book.take(line('Next', 0, { after: 7 }))).toBe(true);
  expect(textOf(book)).toEqual([[0, 'Next']]);
  book.take(line('', 0, { after: 9, isEnd: true }));
  expect(textOf(book)).toEqual([]);
});

test('[U2] [WL15] a stream that sent words of an answer sends that they are over, once and of that answer alone', () => {
  const book = new WordBook();
  const sent = new SentWords();
  book.take(line('Hello', 0));
  textOf(book, sent);
  // Until there is a record they are all that can be seen of the answer.
  expect(book.take(line('', 0, { after: 7, isEnd: true }))).toBe(false);
  expect(textOf(book, sent)).toEqual([]);
  // A page may have read the record before it heard the words, and takes them away no more.
  book.end('r', 't1', 8);
  expect(textOf(book, sent)).toEqual([[0, '']]);
  expect(textOf(book, sent)).toEqual([]);
  book.take(line('Next', 0, { after: 8 }));
  textOf(book, sent);
  book.end('r', 't1', 9);
  book.take(line('Third', 0, { after: 9 }));
  expect(textOf(book, sent)).toEqual([[0, 'Third']]);
});

test('[U2] [WL15] where the beginning was missed the words begin where they are known', () => {
  const book = new WordBook();
  const sent = new SentWords();
  book.take(line('middle', 100));
  expect(textOf(book, sent)).toEqual([[100, 'middle']]);
  book.take(line(' end', 106));
  expect(textOf(book, sent)).toEqual([[106, ' end']]);
});

test('[U2] [WL15] of an endless answer only the end is kept', () => {
  const book = new WordBook();
  for (let offset = 0; offset < 2_000_000; offset += 100_000) book.take(line('x'.repeat(100_000), offset));
  const [[offset, text] = [0, '']] = textOf(book);
  expect(text.length).toBeLessThanOrEqual(512 * 1024);
  expect(offset + text.length).toBe(2_000_000);
});
