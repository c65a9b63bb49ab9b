// Builds, runs every test, and ends with one line that machines can read: `N passed, M failed`.
// With --checks the types, the linter, the formatter and knip count as tests too.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, statSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const wanted = process.argv.slice(2).filter((word) => word !== '--checks');
const environment = { ...process.env, PATH: [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter) };
const FAST_BROWSER = 'chromium-headless-shell';
const counts = { passed: 0, failed: 0, skipped: 0 };

const CHECKS = {
  types: ['tsc', '-p', 'tsconfig.json'],
  'core types': ['tsc', '-p', 'src/core/tsconfig.json'],
  'web types': ['tsc', '-p', 'web/tsconfig.json'],
  'types of web tests': ['tsc', '-p', 'web/tsconfig.tests.json'],
  lint: ['oxlint', '--type-aware', '--deny-warnings'],
  format: ['oxfmt', '--check', '.'],
  knip: ['knip'],
};

// Installing mostly waits for the network, so the checks run meanwhile.
await Promise.all([runChecks(), installMissing(), run('node', ['scripts/clients.mjs'])]);
// `npm ci` has just built, the page last. Folders count too: removing a file changes only its folder.
const isBuilt = isFresh('dist/web/index.html') || (await run('node', ['scripts/build.mjs'])) === 0;
if (isBuilt) await runTests();
else count('build', 1);

const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
console.log(`${counts.passed} passed, ${counts.failed} failed${skipped}`);
process.exit(counts.failed === 0 && counts.passed > 0 ? 0 : 1);

/** One after the other: each uses all processors, and some need gigabytes. */
async function runChecks() {
  if (!process.argv.includes('--checks')) return;
  for (const [name, [command, ...words]] of Object.entries(CHECKS)) count(name, await run(command, words));
}

/** What the tests need beyond npm. Installed where that is allowed; otherwise it is said, and what needs it is skipped. */
async function installMissing() {
  const needed = {
    git: 'git',
    bwrap: 'bubblewrap',
    setpriv: 'util-linux',
    perl: 'perl',
    chromium: 'chromium',
    initdb: 'postgresql',
    ip: 'iproute2',
  };
  const missing = Object.entries({ ...needed, [FAST_BROWSER]: FAST_BROWSER }).filter(
    ([program]) => !hasProgram(program),
  );
  if (missing.length === 0) return;
  const packages = missing.map(([, name]) => name);
  const wanted = `apt-get install -y ${packages.join(' ')}`;
  if (process.platform === 'linux' && process.getuid() === 0 && hasProgram('apt-get')) {
    console.log(`Installing what the tests need: ${wanted}`);
    const later = await installEach(packages);
    if (later.length > 0) {
      await runQuietly('apt-get', ['update']);
      await installEach(later);
    }
  }
  const left = missing.map(([program]) => program).filter((program) => !hasProgram(program) && !isReplaced(program));
  if (left.length > 0)
    console.log(`Not installed: ${left.join(', ')}. Tests that need them are skipped. Install with: ${wanted}`);
}

/** One by one: a package that this distribution does not have must not keep the others away. Gives those that were refused. */
async function installEach(packages) {
  const refused = [];
  for (const name of packages) {
    if ((await runQuietly('apt-get', ['install', '-y', name])) !== 0) refused.push(name);
  }
  return refused;
}

/** A Chromium with windows does as well, more slowly. */
function isReplaced(program) {
  return program === FAST_BROWSER && hasProgram('chromium');
}

function hasProgram(program) {
  // Debian keeps the programs of a PostgreSQL server by version.
  const servers = '/usr/lib/postgresql';
  const versions = existsSync(servers) ? readdirSync(servers).map((version) => join(servers, version, 'bin')) : [];
  const folders = ['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/usr/local/bin', '/opt/homebrew/bin', ...versions];
  return folders.some((folder) => existsSync(join(folder, program)));
}

function isFresh(built) {
  const builtAt = statSync(join(root, built), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return ['src', 'web', 'assets', 'scripts/build.mjs', 'package-lock.json', 'package.json']
    .flatMap((path) => [
      path,
      ...(path.includes('.') ? [] : readdirSync(join(root, path), { recursive: true }).map((name) => join(path, name))),
    ])
    .every((path) => statSync(join(root, path)).mtimeMs < builtAt);
}

function run(command, words) {
  return statusOf(spawn(command, words, { cwd: root, env: environment, stdio: 'inherit' }));
}

function runQuietly(command, words) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return statusOf(spawn(command, words, { stdio: 'ignore', env }));
}

/** A program that cannot be started has failed, too. */
async function statusOf(child) {
  const [status] = await once(child, 'close').catch(() => [null]);
  return status ?? 1;
}

function count(name, status) {
  console.log(`${status === 0 ? 'ok' : 'FAILED'}: ${name}`);
  if (status === 0) counts.passed += 1;
  else counts.failed += 1;
}

async function runTests() {
  const folder = mkdtempSync(join(placeOfTests(), 'troupe-test-'));
  // As open as the folder that it stands for: some tests work as another user.
  chmodSync(folder, 0o1777);
  environment.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache');
  environment.TMPDIR = folder;
  const file = join(folder, 'results.json');
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
    const status = await run('vitest', ['run', ...reporters, ...wanted]);
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

/** Tests make and remove hundreds of thousands of files: in memory where there is plenty, and programs may be run there. */
function placeOfTests() {
  const memory = '/dev/shm';
  const mount = existsSync('/proc/mounts')
    ? readFileSync('/proc/mounts', 'utf8')
        .split('\n')
        .find((line) => line.split(' ')[1] === memory)
    : undefined;
  if (mount === undefined || /\bnoexec\b/.test(mount)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return Math.min(bavail * bsize, freemem()) > 8 * 2 ** 30 ? memory : tmpdir();
}
