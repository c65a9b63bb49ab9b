import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findChecks } from './find-checks.ts';

async function configuredChecks(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-ward-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return (await findChecks(folder)).map(({ name, command, from }) => `${name}: ${command} (${from})`);
}

const manifest = (scripts: Readonly<Record<string, string>>, more = {}) => JSON.stringify({ scripts, ...more });

test('[Q6] the scripts of a package, cheapest first, by the package manager of the project', async () => {
  const scripts = { test: 'vitest run', 'type-check': 'tsc', lint: 'eslint .', build: 'vite' };
  expect(await configuredChecks({ 'package.json': manifest(scripts) })).toEqual([
    'lint: npm run lint (package.json)',
    'types: npm run type-check (package.json)',
    'test: npm run test (package.json)',
  ]);
  const test_ = { test: 'node --test' };
  expect(await configuredChecks({ 'package.json': manifest(test_), 'pnpm-lock.yaml': '' })).toEqual([
    'test: pnpm run test (package.json)',
  ]);
  expect(await configuredChecks({ 'package.json': manifest(test_), 'bun.lock': '' })).toEqual([
    'test: bun run test (package.json)',
  ]);
  const named = manifest(test_, { packageManager: 'yarn@4.1.0' });
  expect(await configuredChecks({ 'package.json': named, 'package-lock.json': '' })).toEqual([
    'test: yarn run test (package.json)',
  ]);
});

test('[Q6] what npm writes into a new package is no test, and a manifest that cannot be read is none', async () => {
  expect(
    await configuredChecks({ 'package.json': manifest({ test: 'echo "Error: no test specified" && exit 1' }) }),
  ).toEqual([]);
  expect(await configuredChecks({ 'package.json': '{' })).toEqual([]);
  expect(await configuredChecks({ 'package.json': '[]' })).toEqual([]);
  expect(await configuredChecks({ 'package.json': '{"scripts": ["test"]}' })).toEqual([]);
  expect(await configuredChecks({})).toEqual([]);
  expect(await findChecks('/nowhere/at/all')).toEqual([]);
});

test('[Q6] a Makefile says what nothing else does', async () => {
  const make = 'CC := gcc\ntest: build\n\ttrue\nlint :\n\ttrue\ntypes:= no\n';
  expect(await configuredChecks({ Makefile: make })).toEqual([
    'lint: make lint (Makefile)',
    'test: make test (Makefile)',
  ]);
  expect(await configuredChecks({ Makefile: make, 'package.json': manifest({ test: 'x' }) })).toEqual([
    'lint: make lint (Makefile)',
    'test: npm run test (package.json)',
  ]);
  expect(await configuredChecks({ Makefile: 'check:\n\ttrue\n' })).toEqual(['test: make check (Makefile)']);
});

test('[Q6] the tools a Python project has settings for, in its environment', async () => {
  const pyproject = '[project]\nname = "x"\n[tool.ruff]\n[tool.mypy]\n[tool.pytest.ini_options]\n';
  expect(await configuredChecks({ 'pyproject.toml': pyproject, 'uv.lock': '' })).toEqual([
    'lint: uv run ruff check . (pyproject.toml)',
    'types: uv run mypy . (pyproject.toml)',
    'test: uv run python -m pytest (pyproject.toml)',
  ]);
  expect(await configuredChecks({ 'tox.ini': '[tox]\nenvlist = py\n[pytest]\n' })).toEqual(['test: tox (tox.ini)']);
  expect(await configuredChecks({ 'pyproject.toml': '[project]\ndependencies = [\n  "pytest>=8",\n]\n' })).toEqual([
    'test: python -m pytest (pyproject.toml)',
  ]);
  expect(await configuredChecks({ 'pyproject.toml': '[project]\nname = "x"\n' })).toEqual([]);
});

test('[Q6] languages with their own tool', async () => {
  expect(await configuredChecks({ 'Cargo.toml': '' })).toEqual([
    'types: cargo check --all-targets (Cargo.toml)',
    'test: cargo test (Cargo.toml)',
  ]);
  expect(await configuredChecks({ 'go.mod': '' })).toEqual([
    'lint: go vet ./... (go.mod)',
    'test: go test ./... (go.mod)',
  ]);
  expect(await configuredChecks({ 'deno.json': '{}' })).toEqual([
    'lint: deno lint (deno.json)',
    'test: deno test (deno.json)',
  ]);
  expect(await configuredChecks({ 'composer.json': '{"scripts": {"test": "phpunit"}}' })).toEqual([
    'test: composer run test (composer.json)',
  ]);
});

test('[L8] a folder where a file should be, and a file of any size, are nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-ward-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'package.json'));
  writeFileSync(join(folder, 'Makefile'), `test:\n${'x'.repeat(2_000_000)}`);
  expect(await findChecks(folder)).toEqual([]);
});
