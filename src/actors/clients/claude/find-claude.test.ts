import { chmodSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { findClaude, probeClaude } from './probe-claude.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'find-claude-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function put(path: string, text: string | null): string {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  if (text === null) cpSync(realpathSync('/bin/true'), file);
  else writeFileSync(file, text);
  chmodSync(file, 0o755);
  return file;
}

const lookIn = (folder: string) => findClaude({ HOME: join(root, 'nobody'), PATH: `relative:${join(root, folder)}` });

test('the program is found through links', () => {
  const program = put('share/claude/versions/2.1.0', null);
  mkdirSync(join(root, 'bin'));
  symlinkSync(program, join(root, 'bin/claude'));
  expect(lookIn('bin')).toEqual({ path: program, isNative: true });
});

test('from the script of the npm package to the program beside it', () => {
  const name = `claude-code-${process.platform}-${process.arch}`;
  const script = put('npm/node_modules/@anthropic-ai/claude-code/cli-wrapper.cjs', '#!/usr/bin/env node\n');
  const program = put(`npm/node_modules/@anthropic-ai/${name}/claude`, null);
  mkdirSync(join(root, 'npm/bin'));
  symlinkSync(script, join(root, 'npm/bin/claude'));
  expect(lookIn('npm/bin')).toEqual({ path: program, isNative: true });
});

test('a script without its program is reported as such; without a script there is nothing', async () => {
  const script = put('alone/claude', '#!/bin/sh\n');
  expect(lookIn('alone')).toEqual({ path: script, isNative: false });
  expect(lookIn('empty')).toBeNull();
});

test('[U1] what can be said of a client: missing, broken, too old, not logged in', async () => {
  const nobody = { HOME: join(root, 'nobody'), PATH: '/usr/bin:/bin' };
  expect(await probeClaude(null, nobody)).toMatchObject({
    isFound: false,
    isLoggedIn: false,
    hint: expect.any(String),
  });
  const probe = (text: string, environment: NodeJS.ProcessEnv = nobody) =>
    probeClaude({ path: put('probe/claude', text), isNative: true }, environment);
  expect(await probe('#!/bin/sh\nexit 1\n')).toMatchObject({
    isFound: true,
    problem: expect.stringContaining('version'),
  });
  const old = '#!/bin/sh\necho "1.0.3 (Claude Code)"\n';
  expect(await probe(old)).toMatchObject({ version: '1.0.3', problem: expect.stringContaining('older') });
  const fine = '#!/bin/sh\necho "2.1.325 (Claude Code)"\n';
  expect(await probe(fine)).toMatchObject({ version: '2.1.325', problem: expect.stringContaining('logged in') });
  const known = await probe(fine, { ...nobody, ANTHROPIC_API_KEY: 'sk-secret' });
  expect(known).toMatchObject({ isLoggedIn: true, login: 'ANTHROPIC_API_KEY' });
  expect(known.problem).toBeUndefined();
  expect(JSON.stringify(known)).not.toContain('sk-secret');
  const file = put('nobody/.claude/.credentials.json', '{}');
  expect(await probe(fine)).toMatchObject({ isLoggedIn: true, login: file });
});
