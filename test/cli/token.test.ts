import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tokenHash } from '../../src/app/tokens/tokens.ts';
import { createSandbox, type Sandbox } from './sandbox.ts';

const errorOf = async (sandbox: Sandbox, words: readonly string[]): Promise<readonly unknown[]> => {
  const { code, stderr } = await sandbox.troupe(['token', ...words, '--json']);
  const error = JSON.parse(stderr.trim().split('\n').at(-1) ?? '{}') as Record<string, string>;
  return [code === 0, error['code']];
};

test('[U8] a token is printed once, listed without itself, and gone when it is revoked', async () => {
  const sandbox = createSandbox();
  const made = await sandbox.troupe(['token', 'new', 'anna', '--role', 'operator', '--expires', '30d']);
  const token = made.stdout.trim();
  expect(token).toMatch(/^troupe_[\w-]{43}$/);
  expect(made.stderr).toContain('shown once');
  const kept = JSON.parse(readFileSync(join(sandbox.home, 'tokens', 'anna.json'), 'utf8')) as Record<string, unknown>;
  expect(kept['hash']).toBe(tokenHash(token).toString('hex'));
  const listed = await sandbox.troupe(['token', 'list', '--json']);
  expect(JSON.parse(listed.stdout)).toMatchObject({
    kind: 'tokens',
    items: [{ name: 'anna', role: 'operator', isExpired: false, perMinute: 600, streams: 16 }],
  });
  expect(listed.stdout).not.toMatch(new RegExp(`${token}|hash`));
  expect((await sandbox.troupe(['token', 'list'])).stdout).toMatch(/anna +operator +\d{4}-\d\d-\d\d +\d{4}-\d\d-\d\d/);
  expect(JSON.parse((await sandbox.troupe(['token', 'revoke', 'anna', '--json'])).stdout)).toEqual({
    kind: 'token.revoked',
    name: 'anna',
  });
  expect((await sandbox.troupe(['token', 'list'])).stdout).toContain('There are no tokens');
});

test('[U8] wrong names, roles and ages, a name that is taken and one that is unknown are refused with a code', async () => {
  const sandbox = createSandbox();
  await sandbox.troupe(['token', 'new', 'anna', '--role', 'viewer']);
  expect(await errorOf(sandbox, ['new', 'anna', '--role', 'viewer'])).toEqual([false, 'TOKEN_EXISTS']);
  expect(await errorOf(sandbox, ['revoke', 'ben'])).toEqual([false, 'TOKEN_UNKNOWN']);
  for (const name of ['../x', 'A', '', '.x', 'x'.repeat(65), 'a b', 'a\nb'])
    expect([name, ...(await errorOf(sandbox, ['new', name, '--role', 'viewer']))]).toEqual([
      name,
      false,
      'REQUEST_INVALID',
    ]);
  expect(await errorOf(sandbox, ['new', 'ben'])).toEqual([false, 'USAGE']);
  expect(await errorOf(sandbox, ['new', '--role', 'viewer'])).toEqual([false, 'USAGE']);
  expect(await errorOf(sandbox, ['new', 'ben', '--role', 'owner'])).toEqual([false, 'USAGE']);
  expect(await errorOf(sandbox, ['new', 'ben', '--role', 'viewer', '--expires', '30'])).toEqual([false, 'USAGE']);
  expect(await errorOf(sandbox, ['new', 'ben', '--role', 'viewer', '--expires', '0d'])).toEqual([
    false,
    'REQUEST_INVALID',
  ]);
  expect(await errorOf(sandbox, ['forget'])).toEqual([false, 'USAGE']);
});

test('[U8] two commands at the same moment make one token of a name, and a damaged file is named', async () => {
  const sandbox = createSandbox();
  const words = ['token', 'new', 'anna', '--role', 'viewer', '--json'];
  const ended = await Promise.all([1, 2, 3].map(() => sandbox.start(words).ended));
  expect(ended.filter(({ code }) => code === 0)).toHaveLength(1);
  const file = join(sandbox.home, 'tokens', 'ben.json');
  writeFileSync(file, '{"name":"ben","role":"admin"}');
  expect(await errorOf(sandbox, ['list'])).toEqual([false, 'TOKEN_DAMAGED']);
  rmSync(file);
  expect((await sandbox.troupe(['token', 'list', '--json'])).code).toBe(0);
});
