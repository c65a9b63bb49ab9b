import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { quotedWord, quotedWords } from './quoted-words.ts';

test.for(['plain/path.txt', 'with blank', "it's", '$(id) `id` "x"', 'a;b&c|d', '', '*', 'line\nbreak', '~', '#x'])(
  '[U1] a shell takes %j for what it is',
  (text) => {
    const printed = (quoted: string) => execFileSync('/bin/sh', ['-c', `printf %s ${quoted}`], { encoding: 'utf8' });
    expect(printed(quotedWord(text))).toBe(text);
    const said = quotedWords(text).includes("'") ? printed(quotedWords(text)) : quotedWords(text);
    expect(said).toBe(text);
  },
);

test('[U1] what needs no quotes has none', () => {
  expect([quotedWord('src/a-b.txt'), quotedWords('yes please')]).toEqual(['src/a-b.txt', 'yes please']);
  expect(quotedWord('yes please')).toBe("'yes please'");
});
