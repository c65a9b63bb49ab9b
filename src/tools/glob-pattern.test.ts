import { assert, constantFrom, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { globMatcher } from './glob.ts';

test.each([
  ['*.ts', 'a.ts', true],
  ['*.ts', 'src/a.ts', false],
  ['**/*.ts', 'a.ts', true],
  ['**/*.ts', 'src/deep/a.ts', true],
  ['src/**', 'src/a/b', true],
  ['src/**', 'lib/a', false],
  ['src/**/test/*.ts', 'src/test/a.ts', true],
  ['src/**/test/*.ts', 'src/x/test/y/test/a.ts', true],
  ['a?c', 'abc', true],
  ['a?c', 'ac', false],
  ['[a-c]x', 'bx', true],
  ['[a-c]x', '-x', false],
  ['[!a-c]x', 'dx', true],
  ['[]x', '[]x', true],
  ['*.{js,ts}', 'a.ts', true],
  ['{src,lib}/**/*.{a,b}', 'lib/x/y.b', true],
  ['{a,{b,c}}', 'c', true],
  ['{a}', '{a}', true],
  ['./src/*', 'src/a', true],
  ['a*b*c', 'a-b-b-c', true],
  ['a*b*c', 'a-b-b-c-', false],
  ['*', '.env', true],
  ['(a|b)+', 'a', false],
  ['ä?', 'ä😀', true],
])('[SM7] the pattern %s against %s is %s', (pattern, path, expected) => {
  expect(globMatcher(pattern)(path)).toBe(expected);
});

test('[L3] a pattern with too many alternatives is refused in words', () => {
  expect(() => globMatcher('{a,b}'.repeat(20))).toThrow('too many alternatives');
});

test('[L3] a pattern made to backtrack is answered at once', () => {
  const started = performance.now();
  expect(globMatcher(`${'*a'.repeat(400)}b`)('a'.repeat(4000))).toBe(false);
  expect(globMatcher(`${'**/a/'.repeat(200)}b`)('a/'.repeat(1000))).toBe(false);
  expect(performance.now() - started).toBeLessThan(2000);
});

test('[SM7] it agrees with a slow and simple matcher', () => {
  const simple = (pattern: string, path: string): boolean => {
    if (pattern === '') return path === '';
    if (pattern[0] !== '*')
      return path !== '' && (pattern[0] === '?' || pattern[0] === path[0]) && simple(pattern.slice(1), path.slice(1));
    return simple(pattern.slice(1), path) || (path !== '' && simple(pattern, path.slice(1)));
  };
  const patterns = string({ unit: constantFrom('a', 'b', '?', '*'), maxLength: 8 }).filter((text) => text !== '**');
  const paths = string({ unit: constantFrom('a', 'b'), maxLength: 10 });
  const agrees = property(patterns, paths, (pattern, path) => globMatcher(pattern)(path) === simple(pattern, path));
  expect(() => assert(agrees)).not.toThrow();
});
