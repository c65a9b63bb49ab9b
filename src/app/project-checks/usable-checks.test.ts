import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isFault } from '../../core/model/fault.ts';
import { refuseUnusableChecks } from './usable-checks.ts';

/** A project whose path has `npm`, `pnpm` and `make`, and nothing else. */
function refusals(commands: readonly string[], files: Readonly<Record<string, string>> = {}): readonly string[] {
  const root = mkdtempSync(join(tmpdir(), 'troupe-ward-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
  const programs = join(root, 'programs');
  mkdirSync(programs);
  for (const name of ['npm', 'pnpm', 'make']) {
    writeFileSync(join(programs, name), '#!/bin/sh\n');
    chmodSync(join(programs, name), 0o755);
  }
  try {
    const ward = commands.map((command) => ({ command, from: 'Wardfile' }));
    refuseUnusableChecks(ward, { root, environment: { PATH: programs } });
    return [];
  } catch (error) {
    if (!isFault(error)) throw error;
    return error.problems.map(({ code, file, message }) => `${file} ${code} ${message}`);
  }
}

test('[Q6] a program of Ward that is nowhere on the path is reported, each with who names it', () => {
  expect(refusals(['cargo test', 'make test', 'CI=1 uv run pytest'])).toEqual([
    'Wardfile WARD_UNUSABLE `cargo test`: there is no program "cargo" on the PATH.',
    'Wardfile WARD_UNUSABLE `CI=1 uv run pytest`: there is no program "uv" on the PATH.',
  ]);
});

test('[Q6] a script that package.json does not have is reported, with those that it has', () => {
  const files = { 'package.json': '{"scripts": {"test": "x", "lint:all": "y"}}' };
  expect(refusals(['npm test', 'npm run lint:all -- --fix', 'npm run lint', 'pnpm run types'], files)).toEqual([
    'Wardfile WARD_UNUSABLE `npm run lint`: package.json has no script "lint". It has: test, lint:all.',
    'Wardfile WARD_UNUSABLE `pnpm run types`: package.json has no script "types". It has: test, lint:all.',
  ]);
  expect(refusals(['npm test'])).toEqual(['Wardfile WARD_UNUSABLE `npm test`: there is no package.json.']);
});

test('[L3] what only a shell can tell is left to the trial', () => {
  const commands = [
    'cd web && vite build',
    'test -e readme.txt',
    './check.sh',
    '.venv/bin/pytest',
    '[ -e x ]',
    '(cargo test)',
    '$RUNNER test',
    'npm --prefix web run lint',
    'npm run lint --workspace web',
    'npm run lint --if-present',
    '',
  ];
  expect(refusals(commands, { 'package.json': '{}' })).toEqual([]);
  expect(refusals(['npm run lint'], { 'package.json': '{' })).toEqual([]);
});
