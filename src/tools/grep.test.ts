import { symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { grepTool } from './grep.ts';
import { call, testFolder } from './testing/test-folder.ts';

test('[SM7] grep gives path, line and text', async () => {
  const folder = testFolder({ 'a.ts': 'one\nfind me\n', 'src/b.ts': 'x\r\ny find\r\n', 'node_modules/c.ts': 'find' });
  expect((await call(grepTool, { pattern: String.raw`find\b` }, { folder })).content).toBe(
    'a.ts:2: find me\nsrc/b.ts:2: y find',
  );
  expect((await call(grepTool, { pattern: 'FIND', path: 'src', ignore_case: true }, { folder })).content).toBe(
    'src/b.ts:2: y find',
  );
  expect((await call(grepTool, { pattern: 'me', path: 'a.ts' }, { folder })).content).toBe('a.ts:2: find me');
  expect((await call(grepTool, { pattern: 'find', path: 'node_modules' }, { folder })).content).toBe(
    'node_modules/c.ts:1: find',
  );
  expect((await call(grepTool, { pattern: 'nowhere' }, { folder })).content).toBe('No line matches.');
});

test('[L3] grep says what is wrong with the pattern or the path', async () => {
  const folder = testFolder();
  expect((await call(grepTool, { pattern: '(' }, { folder })).content).toBe('pattern is not a regular expression.');
  expect((await call(grepTool, { pattern: 'x', path: 'none' }, { folder })).content).toBe('none does not exist.');
  expect((await call(grepTool, { pattern: 'x', path: '../' }, { folder })).isError).toBe(true);
});

test('[L3] grep passes over binary files, names those that are too large, and follows no link', async () => {
  const folder = testFolder({ binary: Buffer.from('\0find'), large: '' });
  truncateSync(join(folder, 'large'), 2 ** 33);
  symlinkSync('/etc/passwd', join(folder, 'passwd'));
  const { content } = await call(grepTool, { pattern: 'find|root' }, { folder });
  expect(content).toBe('No line matches.\n[not searched, too large: 1 files, such as large]');
  expect((await call(grepTool, { pattern: 'root', path: 'passwd' }, { folder })).content).toContain('symbolic link');
});

test('[L3] grep cuts long lines and long lists, and says so', async () => {
  const folder = testFolder({ wide: 'x'.repeat(1_000_000), tall: 'hit\n'.repeat(5000) });
  const { content } = await call(grepTool, { pattern: '[xh]' }, { folder });
  const lines = content.split('\n');
  expect(lines).toHaveLength(201);
  expect(lines.at(-1)).toContain('the search was cut short');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(400);
});

test('[L7] grep ends when the signal fires, also inside one expression', async () => {
  const folder = testFolder({ a: `${'a'.repeat(50)}!` });
  const result = await call(grepTool, { pattern: '^(a+)+$' }, { folder, signal: AbortSignal.timeout(300) });
  expect(result).toEqual({ content: 'Cancelled before it was finished.', isError: true });
});

test('[SM7] grep goes through thousands of files in seconds', async () => {
  const folder = testFolder();
  for (let at = 0; at < 1500; at += 1) writeFileSync(join(folder, `f${at}`), `line ${at}\n`);
  const { content } = await call(grepTool, { pattern: 'line 14[0-9]{2}$' }, { folder });
  expect(content.split('\n')).toHaveLength(100);
});
