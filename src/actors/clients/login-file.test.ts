import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { bringLogin, returnLogin, type LoginFile } from './client-login.ts';

const root = mkdtempSync(join(tmpdir(), 'login-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let file: LoginFile;
beforeEach(() => {
  const folder = mkdtempSync(join(root, 'l-'));
  const home = join(folder, 'home');
  file = { user: join(folder, 'user.json'), copy: join(home, '.claude/login.json'), home };
});

/** One whose tokens say whose they are: each is good for longer than those before it. */
const login = (name: string): string => JSON.stringify({ oauth: { id_token: tokenOf(name), until: 1 } });
const ORDER = ['a', 'b', 'refreshed', 'somebody else’s', 'fresh', 'logged in again'];
const tokenOf = (name: string): string => {
  const claims = { sub: 'ann', exp: 4_000_000_000 + ORDER.indexOf(name) };
  return `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${name}`;
};
const opaque = (token: string, until: number): string =>
  JSON.stringify({ claudeAiOauth: { accessToken: `at-${token}`, refreshToken: `rt-${token}`, expiresAt: until } });

function write(path: string, text: string, seconds: number): void {
  writeFileSync(path, text);
  utimesSync(path, seconds, seconds);
}

test('the user’s login is copied, readable for its owner alone, and stays as it is', async () => {
  write(file.user, login('a'), 1000);
  await bringLogin(file);
  expect(readFileSync(file.copy, 'utf8')).toBe(login('a'));
  expect(statSync(file.copy).mode & 0o777).toBe(0o600);
  await returnLogin(file);
  expect(statSync(file.user).mtimeMs).toBe(1_000_000);
});

test('without a login nothing is brought, and nothing is given back', async () => {
  await bringLogin(file);
  await returnLogin(file);
  expect(existsSync(file.copy)).toBe(false);
  write(file.user, login('a'), 1000);
  await bringLogin(file);
  rmSync(file.user);
  write(file.copy, login('b'), 2000);
  await returnLogin(file);
  expect(existsSync(file.user)).toBe(false);
});

test('the newer one counts, in both directions', async () => {
  write(file.user, login('a'), 1000);
  await bringLogin(file);
  write(file.copy, login('refreshed'), 2000);
  await bringLogin(file);
  expect(readFileSync(file.copy, 'utf8')).toBe(login('refreshed'));
  expect(await returnLogin(file)).toBe('returned');
  expect(readFileSync(file.user, 'utf8')).toBe(login('refreshed'));
  write(file.user, login('logged in again'), 3000);
  await bringLogin(file);
  expect(readFileSync(file.copy, 'utf8')).toBe(login('logged in again'));
});

test.each([
  ['is no JSON', 'nonsense'],
  ['has other fields', JSON.stringify({ helper: 'curl evil' })],
  ['differs in more than its tokens', JSON.stringify({ oauth: { id_token: tokenOf('b'), until: 2 } })],
  ['is too large', `${' '.repeat(300_000)}${login('b')}`],
])('what %s does not take the place of a login', async (_, text) => {
  write(file.user, login('a'), 1000);
  await bringLogin(file);
  write(file.copy, text, 2000);
  await returnLogin(file);
  expect(readFileSync(file.user, 'utf8')).toBe(login('a'));
});

test('[L8] unreadable tokens never replace the user’s: their owner is unknown', async () => {
  write(file.user, opaque('user', 1), 1000);
  await bringLogin(file);
  // A command of the agent can do this in its box.
  write(file.copy, opaque('attacker', 9e12), 2000);
  expect(await returnLogin(file)).toBe('doubted');
  expect(readFileSync(file.user, 'utf8')).toBe(opaque('user', 1));
});

test('a link that an agent put there leads nowhere', async () => {
  write(file.user, login('a'), 1000);
  await bringLogin(file);
  rmSync(file.copy);
  const other = join(root, 'other.json');
  write(other, login('b'), 2000);
  symlinkSync(other, file.copy);
  await returnLogin(file);
  expect(readFileSync(file.user, 'utf8')).toBe(login('a'));
  await bringLogin(file);
  expect(readFileSync(file.copy, 'utf8')).toBe(login('a'));
  expect(readFileSync(other, 'utf8')).toBe(login('b'));
});

test('[L8] a folder that an agent made into a link leads nowhere: neither is written through it nor read', async () => {
  write(file.user, login('a'), 1000);
  await bringLogin(file);
  const elsewhere = mkdtempSync(join(root, 'e-'));
  write(join(elsewhere, 'login.json'), login('somebody else’s'), 2000);
  rmSync(dirname(file.copy), { recursive: true });
  symlinkSync(elsewhere, dirname(file.copy));
  await returnLogin(file);
  expect(readFileSync(file.user, 'utf8')).toBe(login('a'));
  write(file.user, login('fresh'), 3000);
  await bringLogin(file);
  expect(readdirSync(elsewhere)).toEqual(['login.json']);
  expect(readFileSync(join(elsewhere, 'login.json'), 'utf8')).toBe(login('somebody else’s'));
  expect(lstatSync(dirname(file.copy)).isDirectory()).toBe(true);
  expect(readFileSync(file.copy, 'utf8')).toBe(login('fresh'));
});

const FUTURE = 4_000_000_000;

test('[L8] a copy that is dated in the future keeps no newer login of the user’s out', async () => {
  write(file.user, login('a'), 1000);
  await bringLogin(file);
  write(file.copy, login('refreshed'), FUTURE);
  await returnLogin(file);
  expect(readFileSync(file.user, 'utf8')).toBe(login('refreshed'));
  expect(statSync(file.user).mtimeMs).toBeLessThanOrEqual(Date.now());
  write(file.user, login('logged in again'), 3000);
  await bringLogin(file);
  expect(readFileSync(file.copy, 'utf8')).toBe(login('logged in again'));
});
