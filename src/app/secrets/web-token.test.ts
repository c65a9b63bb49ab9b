import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keepToken, webToken } from './web-token.ts';

let home: string;
beforeEach(() => void (home = mkdtempSync(join(tmpdir(), 'troupe-token-'))));
afterEach(() => rmSync(home, { recursive: true, force: true }));

const [ONE, OTHER] = ['a'.repeat(43), 'b'.repeat(43)] as const;

test('[W14] the token outlives the server, for its user alone', () => {
  const token = webToken(home);
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(webToken(home)).toBe(token);
  expect(statSync(join(home, 'web-token')).mode & 0o777).toBe(0o600);
  expect(readdirSync(home)).toEqual(['web-token']);
});

test('[W14] of two servers that begin in the same moment both have the token of the first', () => {
  const file = join(home, 'web-token');
  expect(keepToken(file, ONE)).toBe(ONE);
  expect(keepToken(file, OTHER)).toBe(ONE);
  expect(readdirSync(home)).toEqual(['web-token']);
});

test('[W14] a token that was cut is replaced', () => {
  const file = join(home, 'web-token');
  writeFileSync(file, 'cut');
  const token = webToken(home);
  expect(readFileSync(file, 'utf8')).toBe(`${token}\n`);
  expect(readdirSync(home)).toEqual(['web-token']);
});
