import { expect, test } from 'vitest';
import { findSetups, missingFolder } from './find-setup.ts';

const commands = (...names: readonly string[]): readonly string[] =>
  findSetups(new Set(names)).map(({ command }) => command);

test.each([
  [['package-lock.json'], ['npm ci']],
  [['pnpm-lock.yaml'], ['pnpm install --frozen-lockfile']],
  [['yarn.lock'], ['yarn install --frozen-lockfile']],
  [['yarn.lock', '.yarnrc.yml'], ['yarn install --immutable']],
  [['bun.lock'], ['bun install --frozen-lockfile']],
  [['uv.lock'], ['uv sync --locked']],
  [['poetry.lock'], ['POETRY_VIRTUALENVS_IN_PROJECT=true poetry install']],
  [['Cargo.lock'], ['cargo fetch --locked']],
  [['go.sum'], ['go mod download']],
  [['package.json', 'README.md'], []],
  [
    ['package-lock.json', 'go.sum'],
    ['npm ci', 'go mod download'],
  ],
  [['package-lock.json', 'yarn.lock'], ['npm ci']],
])('[A2] a project with %s is installed by %s', (names, expected) => {
  expect(commands(...names)).toEqual(expected);
});

test('[A2] packages are missing where the project installs into a folder that is not there', () => {
  expect(missingFolder(new Set(['package-lock.json']))).toMatchObject({ folder: 'node_modules', command: 'npm ci' });
  expect(missingFolder(new Set(['package-lock.json', 'node_modules']))).toBeNull();
  expect(missingFolder(new Set(['yarn.lock', '.pnp.cjs']))).toBeNull();
  expect(missingFolder(new Set(['go.sum']))).toBeNull();
  expect(missingFolder(new Set(['package-lock.json', 'node_modules', 'uv.lock']))).toMatchObject({ folder: '.venv' });
});
