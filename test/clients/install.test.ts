import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { root } from '../cli/sandbox.ts';
import { CLIENTS } from './client-cache.ts';

const NAMES = Object.entries(CLIENTS).map(([name, { version }]) => `${name}-${version}`);

/** A separate cache, and a program that is called as npm is. */
function bench(npm: string) {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-install-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin/npm'), `#!/bin/sh\necho "$*" >> '${folder}/asked'\n${npm}\n`);
  chmodSync(join(folder, 'bin/npm'), 0o755);
  const env = { PATH: `${join(folder, 'bin')}:/usr/bin:/bin`, HOME: folder, XDG_CACHE_HOME: join(folder, 'cache') };
  const run = (words: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    spawnSync(process.execPath, words, { cwd: root, env: { ...env, ...more }, encoding: 'utf8' });
  const install = (more: Readonly<Record<string, string>> = {}) => run(['scripts/clients.mjs'], more);
  const cached = (): readonly string[] => readdirSync(join(folder, 'cache/troupe-test-clients')).toSorted();
  return { folder, run, install, cached, asked: () => readFileSync(join(folder, 'asked'), 'utf8') };
}

/** Where npm puts it: `--prefix FOLDER`. */
const PREFIX = 'while [ "$1" != --prefix ]; do shift; done; cd "$2" || exit 1';
const CODEX = `node_modules/@openai/codex-${process.platform}-${process.arch}/vendor/x/bin`;
const INSTALLS = [
  PREFIX,
  `mkdir -p node_modules/.bin ${CODEX}`,
  `touch node_modules/.bin/claude node_modules/.bin/claude-agent-acp ${CODEX}/codex`,
  'touch node_modules/.bin/mcp-server-everything',
].join('\n');

test('clients are installed once, each in the version that is named, into a cache outside of the package', () => {
  const { install, cached, asked } = bench(INSTALLS);
  expect(install().status).toBe(0);
  expect(cached()).toEqual(NAMES.toSorted());
  for (const { package: name, version } of Object.values(CLIENTS)) expect(asked()).toContain(`${name}@${version}\n`);
  const before = asked();
  expect(install()).toMatchObject({ status: 0, stdout: '' });
  expect(asked()).toBe(before);
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
  for (const { package: name } of Object.values(CLIENTS)) {
    expect({ ...dependencies, ...devDependencies }).not.toHaveProperty([name]);
  }
});

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

test.each([
  ['npm fails', "echo 'npm error network' >&2; exit 1"],
  ['half of it is there', `${PREFIX}; mkdir node_modules`],
  ['there is no npm', 'exec /no/such/program'],
])('a client that cannot be had is no failure, and is reported by its name: %s', (_why, npm) => {
  const { install, cached } = bench(npm);
  const { status, stdout } = install();
  expect(status).toBe(0);
  for (const { package: name, version } of Object.values(CLIENTS)) {
    expect(stdout).toMatch(new RegExp(`Not installed: ${name} ${version} .*Its tests are skipped`));
  }
  // No draft is left behind.
  expect(cached().filter((name) => !NAMES.includes(name))).toEqual([]);
});

test('tests of a client that is missing are reported as skipped, under its name', () => {
  const { folder, run } = bench('exit 1');
  const files = ['claude', 'codex', 'acp', 'quest', 'mcp-server'].map((name) => `test/clients/${name}.clients.test.ts`);
  const report = join(folder, 'report.json');
  const words = ['node_modules/vitest/vitest.mjs', 'run', ...files, '--reporter=json', `--outputFile=${report}`];
  const { status } = run(words, { TROUPE_CLIENTS: join(folder, 'empty') });
  expect(status).toBe(0);
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report;
  const all = testResults.flatMap(({ assertionResults }) => assertionResults);
  expect(all.length).toBeGreaterThan(60);
  expect(new Set(all.map((one) => one.status))).toEqual(new Set(['skipped']));
  for (const { package: name, version } of Object.values(CLIENTS)) {
    expect(all.some(({ fullName }) => fullName.includes(`${name} ${version}, which is not installed`))).toBe(true);
  }
}, 120_000);

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}
