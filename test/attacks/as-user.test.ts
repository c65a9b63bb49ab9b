import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemProgram } from '../../src/lib/process-tree.ts';
import { IS_PROOF } from '../sample.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');
const NOBODY = 65_534;
const BECOME = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--'];
/** Nothing is kept beside the sources, and a machine that does both at once may take its time. */
const QUIETLY =
  '--configLoader=native --no-cache --no-fsModuleCache --maxWorkers=2 --reporter=json --testTimeout=120000'.split(' ');
/** Where the user's id decides: boxes, processes, permissions of files, and overlay workspaces, which root has not. */
const FILES = [
  ...['box', 'files', 'processes', 'project-links', 'secrets', 'workspaces'].map(
    (name) => `test/attacks/${name}.test.ts`,
  ),
  'src/workspace/overlay/overlays.test.ts',
  'src/workspace/overlay/overlay-commands.test.ts',
  'src/tools/overlay-workspace.test.ts',
  'src/sandbox/self-test/planted-faults.test.ts',
  'src/workspace/store/list-folder.test.ts',
  'src/workspace/skipped-files.test.ts',
  'src/host/deliver/writable-path.test.ts',
];

/** The second time each attack is tried at one level of the sandbox, the next one at the next level. */
const SAMPLED = { TROUPE_ATTACK_LEVELS: 'one' };

/** Once more: a protection that holds only for root, or only against root, is none. */
test(
  `the attacks on boxes, processes and files fail without being root, too${IS_PROOF ? '' : ', each at one level of the sandbox'}`,
  { timeout: 600_000 },
  async (context) => {
    const missing = whyNot();
    if (missing !== null) context.skip(missing);
    const home = mkdtempSync(join(tmpdir(), 'attack-user-'));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    const temporary = join(home, 'tmp');
    mkdirSync(temporary);
    for (const folder of [home, temporary]) chownSync(folder, NOBODY, NOBODY);
    // Others may look in, as they may with most homes.
    chmodSync(home, 0o755);
    const file = join(home, 'results.json');
    const { code, output } = await runAsNobody(home, [...FILES, `--outputFile=${file}`]);
    if (!existsSync(file)) throw new Error(`The ordinary user's tests ended with ${code}:\n${output}`);
    const results = JSON.parse(readFileSync(file, 'utf8')) as Results;
    expect(failuresOf(results)).toEqual([]);
    expect(results).toMatchObject({ success: true, numFailedTests: 0 });
    expect(results.testResults).toHaveLength(FILES.length);
    expect(results.numPassedTests).toBeGreaterThan(100);
    await context.annotate(`${results.numPassedTests} passed, ${results.numPendingTests} skipped`);
  },
);

/** Null when an ordinary user can be played here. */
function whyNot(): string | null {
  if (process.getuid?.() !== 0) return 'not root: the tests beside this one run as an ordinary user already';
  const setpriv = systemProgram('setpriv');
  if (setpriv === '') return 'setpriv is missing, so no ordinary user can be played';
  const script = 'test -r "$0" && test -x "$1" && ! test -w "$2"';
  const { status } = spawnSync(setpriv, [...BECOME, '/bin/sh', '-c', script, VITEST, process.execPath, ROOT]);
  return status === 0 ? null : 'ordinary users cannot read the project, cannot run its Node, or can write to it';
}

interface Results {
  readonly success: boolean;
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** A file that cannot be loaded has no tests in it, but still counts as failed. */
function failuresOf({ testResults }: Results): readonly string[] {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((result) => result.status === 'failed');
    if (failed.length === 0) return status === 'failed' ? [`${name}: ${message}`] : [];
    return failed.map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages.join('\n')}`);
  });
}

/** With nothing of root's: neither its environment nor its home nor its temporary files. */
async function runAsNobody(home: string, words: readonly string[]): Promise<{ code: number | null; output: string }> {
  const path = [join(ROOT, 'node_modules/.bin'), ...(process.env['PATH'] ?? '').split(delimiter)];
  const child = spawn(systemProgram('setpriv'), [...BECOME, process.execPath, VITEST, 'run', ...QUIETLY, ...words], {
    cwd: ROOT,
    env: {
      PATH: [...new Set(path)].join(delimiter),
      HOME: home,
      TMPDIR: join(home, 'tmp'),
      CI: '1',
      NO_COLOR: '1',
      ...(IS_PROOF ? {} : SAMPLED),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const parts: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => parts.push(chunk));
  return await new Promise((done, fail) => {
    child.on('error', fail);
    child.on('close', (code) => done({ code, output: Buffer.concat(parts).toString() }));
  });
}
