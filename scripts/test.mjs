// Builds, runs every test, and ends with one line that machines can read: `N passed, M failed`.
// With --checks the types, the linter, the formatter and knip count as tests too.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const wanted = process.argv.slice(2).filter((word) => word !== '--checks');
const environment = { ...process.env, PATH: [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter) };
const counts = { passed: 0, failed: 0, skipped: 0 };

const CHECKS = {
  types: ['tsc', '-p', 'tsconfig.json'],
  'core types': ['tsc', '-p', 'src/core/tsconfig.json'],
  lint: ['oxlint', '--type-aware', '--deny-warnings'],
  format: ['oxfmt', '--check', '.'],
  knip: ['knip'],
};

if (process.argv.includes('--checks')) {
  for (const [name, [command, ...words]] of Object.entries(CHECKS)) count(name, run(command, words));
}
const isBuilt = run('node', ['scripts/build.mjs']) === 0;
if (isBuilt) runTests();
else count('build', 1);

const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
console.log(`${counts.passed} passed, ${counts.failed} failed${skipped}`);
process.exit(counts.failed === 0 && counts.passed > 0 ? 0 : 1);

function run(command, words) {
  return spawnSync(command, words, { cwd: root, env: environment, stdio: 'inherit' }).status ?? 1;
}

function count(name, status) {
  console.log(`${status === 0 ? 'ok' : 'FAILED'}: ${name}`);
  if (status === 0) counts.passed += 1;
  else counts.failed += 1;
}

function runTests() {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-test-'));
  const file = join(folder, 'results.json');
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
    const status = run('vitest', ['run', ...reporters, ...wanted]);
    const results = JSON.parse(readFileSync(file, 'utf8'));
    counts.passed += results.numPassedTests;
    counts.skipped += results.numPendingTests + results.numTodoTests;
    // A file that cannot be loaded has no tests in it, but has failed all the same.
    counts.failed += status === 0 ? 0 : Math.max(1, results.numFailedTests);
  } catch (error) {
    console.error(`The tests left no result: ${error.message}`);
    counts.failed += 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
