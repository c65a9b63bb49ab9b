import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/command-table.ts';
import { COMMON_OPTIONS } from '../../src/cli/invocation.ts';
import { buildProgram } from '../../src/cli/program.ts';
import { DEFAULT_MODE } from '../../src/cli/terminal/terminal.ts';
import { KnownSecrets } from '../../src/secrets/known-secrets.ts';
import { ASKING, scriptedProject } from './projects.ts';
import { jsonLines, type Sandbox } from './sandbox.ts';

/** The words that make each command do its work in a project with one settled run; null where it serves until it is stopped. */
const WORDS: Readonly<Record<string, readonly string[] | null>> = {
  init: [],
  run: ['two_steps', 'x'],
  start: null,
  quest: null,
  chat: ['--list'],
  list: [],
  show: ['last'],
  watch: ['last'],
  logs: ['last'],
  artifacts: ['last'],
  messages: ['last'],
  metrics: ['last'],
  debate: null,
  compare: null,
  serve: null,
  answer: null,
  tell: null,
  resume: null,
  pause: null,
  cancel: null,
  fork: ['last', '--at', 'start', '--no-run'],
  diff: ['last', '--stat'],
  deliver: ['last'],
  discard: null,
  archive: null,
  rollback: ['last', '--dry-run'],
  prune: ['--dry-run'],
  workflows: [],
  check: ['.troupe/workflows/two_steps.json'],
  'watch-files': null,
  graph: ['two_steps'],
  prompt: ['list'],
  schema: [],
  mcp: null,
  token: ['list'],
  worker: null,
  workers: [],
  schedule: null,
  'script-model': null,
  doctor: [],
  trust: [],
  look: null,
  drive: null,
};

const FLAGS = COMMON_OPTIONS.map(({ flags }) => flags.split(' ', 1)[0]);

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = scriptedProject({}, { lasts: true });
  await sandbox.troupe(['run', 'two_steps', 'x']);
});

afterAll(() => sandbox.close());

test('[U1] every command takes --json, --quiet, --verbose, --journal and --no-input', async () => {
  const stream = (): PassThrough => new PassThrough();
  const surroundings = { stdin: stream(), stdout: stream(), stderr: stream(), environment: {}, folder: '/' };
  const terminal = { ...surroundings, secrets: new KnownSecrets(), mode: DEFAULT_MODE };
  const program = await buildProgram({ terminal, version: '0.0.0', words: [], done: () => undefined });
  const lacking = program.commands
    .filter((command) => !FLAGS.every((flag) => command.options.some((option) => option.long === flag)))
    .map((command) => command.name());
  expect(FLAGS).toEqual(['--json', '--quiet', '--verbose', '--journal', '--no-input']);
  expect(lacking).toEqual([]);
  expect(Object.keys(WORDS).toSorted()).toEqual(COMMANDS.map(({ name }) => name).toSorted());
});

const done = Object.entries(WORDS).flatMap(([name, words]) => (words === null ? [] : [[name, words] as const]));

test.each(done)('[U1] %s --json prints nothing but JSON to standard output', async (name, words) => {
  const { code, stdout } = await sandbox.troupe([name, ...words, '--json', '--no-input']);
  expect(code).not.toBe(2);
  expect(() => jsonIn(stdout)).not.toThrow();
});

/** One value, or one a line. */
const jsonIn = (text: string): unknown => (text.startsWith('{\n') ? JSON.parse(text) : jsonLines(text));

test.each(done)('[U1] %s --quiet prints the answer and no remark', async (name, words) => {
  const { code, stderr } = await sandbox.troupe([name, ...words, '--quiet']);
  expect(code).not.toBe(2);
  expect(stderr.split('\n').length).toBeLessThanOrEqual(QUIET_LINES[name] ?? 1);
});

/** A verdict of one line goes beside the output, which holds the result alone. */
const QUIET_LINES: Readonly<Record<string, number>> = { run: 2, watch: 2, fork: 2, deliver: 2, rollback: 2 };

test('[U1] run --quiet leaves out what agents do, and keeps the question with the command that answers it', async () => {
  const asking = scriptedProject({ 'asking.ts': ASKING });
  const { code, stdout, stderr } = await asking.troupe(['run', 'asking.ts', '--quiet']);
  expect(code).toBe(3);
  expect(stdout).toBe('');
  expect(stderr).toContain('The run asks: Which colour?');
  expect(stderr).toContain('troupe answer ');
  expect(stderr).not.toContain('[');
});

test('[U1] a command that needs a yes fails with --no-input, and names the flag to give instead', async () => {
  await sandbox.troupe(['run', 'two_steps', 'x']);
  const { code, stderr } = await sandbox.troupe(['rollback', 'last', '--no-input']);
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') as string });
});

test('[U1] --quiet and --verbose together are refused', async () => {
  const { code, stderr } = await sandbox.troupe(['list', '--quiet', '--verbose']);
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('contradict') as string });
});
