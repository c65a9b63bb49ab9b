import { expect, test } from 'vitest';
import { PathRefused, shownPath, splitPath } from './confined-path.ts';

const reasonFor = (path: string, reserved: readonly string[] = []) => {
  try {
    splitPath(path, { reserved });
    return 'accepted';
  } catch (error) {
    return error instanceof PathRefused ? error.reason : error;
  }
};

test('[SM7] a plain relative path becomes its names, with . taken out', () => {
  expect(splitPath('src/./main.ts')).toEqual(['src', 'main.ts']);
  expect(splitPath('./src/')).toEqual(['src']);
  expect(splitPath('.')).toEqual([]);
});

test.each([
  ['', 'empty'],
  ['../x', 'parent'],
  ['a/../../x', 'parent'],
  ['a/./../..', 'parent'],
  ['..', 'parent'],
  ['/etc/passwd', 'absolute'],
  ['//etc/passwd', 'absolute'],
  ['~/x', 'home'],
  ['~root/x', 'home'],
  ['a//b', 'empty-name'],
  ['a\\b', 'backslash'],
  ['..\\x', 'backslash'],
  ['a\0b', 'nul'],
  ['a/b.', 'trailing'],
  ['.. /x', 'trailing'],
  ['a /b', 'trailing'],
  ['...', 'trailing'],
  ['%2e%2e/x', 'encoded'],
  ['a%2Fb', 'encoded'],
  ['a%5cb', 'encoded'],
  ['\ud800', 'not-text'],
  ['a/'.repeat(200) + 'b', 'too-long'],
  ['a'.repeat(5000), 'too-long'],
])('[SM7] the path %j is refused as %s', (path, reason) => {
  expect(reasonFor(path)).toBe(reason);
});

test.each(['.git/config', 'a/.git/hooks/x', '.GIT/x', '.g\u200cit/x', '.troupe/tools/x.ts', 'deep/er/.Troupe/x'])(
  '[SM7] %j lies in a reserved folder',
  (path) => {
    expect(reasonFor(path, ['.git', '.troupe'])).toBe('reserved');
  },
);

test.each(['.gitignore', '.github/x', 'git/x', 'troupe', 'a b/c', 'ä/ö', '100%/x', '...x', '-rf', 'a\nb'])(
  '[SM7] %j is an ordinary path',
  (path) => {
    expect(reasonFor(path, ['.git', '.troupe'])).toBe('accepted');
  },
);

test('[L3] a refusal says which path and why', () => {
  expect(() => splitPath('/etc/passwd')).toThrow('/etc/passwd is an absolute path; give it relative to the folder');
});

test('[SM7] odd names are shown escaped, plain ones as they are', () => {
  expect(shownPath('src/ä b.ts')).toBe('src/ä b.ts');
  expect(shownPath('a\nb')).toBe(String.raw`"a\nb"`);
  expect(shownPath('\u001b[31m"x')).toBe(String.raw`"\u{1b}[31m\"x"`);
  expect(shownPath('a\u202etxt.exe')).toBe(String.raw`"a\u{202e}txt.exe"`);
  expect(shownPath(Buffer.from([0x61, 0xff, 0x22]))).toBe(String.raw`"a\xff\x22"`);
  expect(shownPath(Buffer.from('ü'))).toBe('ü');
});
