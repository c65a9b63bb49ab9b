import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { writeTurnProfile } from './codex-profile.ts';

const root = mkdtempSync(join(tmpdir(), 'profile-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('the settings of a turn are readable for it alone, and go with it', async () => {
  const home = mkdtempSync(join(root, 'h-'));
  const profile = await writeTurnProfile(home, 'turn-1', 'model = "x"\n');
  const file = join(home, '.codex/turn-1.config.toml');
  expect(readFileSync(file, 'utf8')).toBe('model = "x"\n');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await profile.remove();
  expect(existsSync(file)).toBe(false);
});

test('what an earlier turn planted is gone', async () => {
  const home = mkdtempSync(join(root, 'h-'));
  mkdirSync(join(home, '.codex/rules/deep'), { recursive: true });
  writeFileSync(join(home, '.codex/rules/deep/a'), '');
  writeFileSync(join(home, '.codex/config.toml'), '');
  writeFileSync(join(home, '.codex/history'), '');
  await writeTurnProfile(home, 'turn-1', '');
  expect(readdirSync(join(home, '.codex'))).toEqual(['history', 'turn-1.config.toml']);
});

test('[L8] a folder that an agent made into a link leads nowhere: what is there is neither written nor removed', async () => {
  const home = mkdtempSync(join(root, 'h-'));
  const users = mkdtempSync(join(root, 'u-'));
  writeFileSync(join(users, 'config.toml'), 'of the user');
  symlinkSync(users, join(home, '.codex'));
  await writeTurnProfile(home, 'turn-1', '');
  expect(readdirSync(users)).toEqual(['config.toml']);
  expect(readdirSync(join(home, '.codex'))).toEqual(['turn-1.config.toml']);
});
