import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type * as Program from '../../src/cli/main.ts';
import { chooseSandbox } from '../../src/sandbox/find-sandbox.ts';
import { keepSandbox, knownSandbox } from '../../src/sandbox/testing/known-sandbox.ts';

export const root = fileURLToPath(new URL('../..', import.meta.url));

export const PROGRAM = join(root, 'bin/troupe.js');

export interface Result {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface TroupeOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly folder?: string;
  /** A program that starts it, with its own words; for processes only. */
  readonly through?: readonly string[];
}

/** A separate project and home, with the real program to run in them. Removed after the test. */
export interface Sandbox {
  readonly project: string;
  readonly home: string;
  write(path: string, content: string): string;
  read(path: string): string;
  /** Runs a command to its end, in this process. */
  troupe(words: readonly string[], options?: TroupeOptions): Promise<Result>;
  /** Starts it as a process, without waiting for its end. */
  start(words: readonly string[], options?: TroupeOptions): Running;
  /** Removes it with everything that runs in it. Called at the end of its test unless it lasts. */
  close(): void;
}

export interface Running {
  readonly child: ChildProcess;
  /** Lines of standard output as they come, without reports of progress: whether there are any depends on how long work takes. */
  readonly lines: AsyncIterator<string>;
  readonly ended: Promise<Result>;
}

/** What keeps commands in here. */
const FOUND = await knownSandbox('');

/** The strongest that works on this machine. */
export const strongestLevel: string = chooseSandbox(FOUND, 'best').level;

export interface SandboxOptions {
  /** Nothing was ever started in the home, so it is not there yet. */
  readonly isFirst?: boolean;
  /** Stays, with everything that was started in it, until its owner closes it. */
  readonly lasts?: boolean;
}

export function createSandbox(
  files: Readonly<Record<string, string>> = {},
  { isFirst = false, lasts = false }: SandboxOptions = {},
): Sandbox {
  const started: ChildProcess[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'troupe-cli-'));
  const project = join(folder, 'project');
  const home = join(folder, 'home');
  mkdirSync(project);
  if (!isFirst) keepSandbox(home, FOUND);
  const sandbox: Sandbox = {
    project,
    home,
    write(path, content) {
      const file = join(project, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
      return file;
    },
    read: (path) => readFileSync(join(project, path), 'utf8'),
    troupe: (words, options = {}) =>
      needsProcess(words)
        ? sandbox.start(words, options).ended
        : performHere(words, { folder: project, ...options }, home),
    start: (words, options = {}) => {
      const running = startTroupe(words, { folder: project, ...options }, home);
      started.push(running.child);
      return running;
    },
    close: () => {
      for (const child of started.splice(0)) if (child.exitCode === null) child.kill('SIGKILL');
      // A detached run may still write its last records.
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
  if (!lasts) onTestFinished(() => sandbox.close());
  for (const [path, content] of Object.entries(files)) sandbox.write(path, content);
  return sandbox;
}

function startTroupe(words: readonly string[], options: TroupeOptions, home: string): Running {
  const [program = '', ...rest] = [...(options.through ?? []), process.execPath, PROGRAM, ...words];
  const child = spawn(program, rest, {
    cwd: options.folder,
    env: environmentOf(options, home),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.end(options.stdin ?? '');
  const texts = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (texts.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (texts.stderr += chunk.toString()));
  const { promise, resolve } = Promise.withResolvers<Result>();
  child.on('close', (code) => resolve({ code, ...texts }));
  // From the beginning, whenever they are asked for.
  const all = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return { child, lines: withoutProgress(all), ended: promise };
}

async function* withoutProgress(lines: AsyncIterator<string>): AsyncGenerator<string, undefined> {
  for (let line = await lines.next(); line.done !== true; line = await lines.next())
    if (!isProgress(line.value)) yield line.value;
  return undefined;
}

const environmentOf = (options: TroupeOptions, home: string): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'] ?? '',
  HOME: home,
  TROUPE_HOME: home,
  // These tests are about the command line: they run with whatever keeps commands in here.
  TROUPE_SANDBOX: 'best',
  ...options.environment,
});

let isBusy = false;

/** Runs a command in this process, which loads the program only once. Used where the process itself is not the point. */
export async function performHere(words: readonly string[], options: TroupeOptions, home: string): Promise<Result> {
  const { folder = '', stdin } = options;
  isBusy = true;
  const { env, argv } = process;
  const back = process.cwd();
  const environment = environmentOf(options, home);
  const [stdout, stderr] = [new Heard(), new Heard()];
  process.env = environment;
  process.argv = [argv[0] ?? '', PROGRAM];
  process.chdir(folder);
  try {
    const { perform } = await loadProgram();
    const input = Readable.from(stdin === undefined ? [] : [Buffer.from(stdin)]);
    const code = await perform(words, { stdin: input, stdout, stderr, environment, folder });
    return { code, stdout: stdout.text, stderr: stderr.text };
  } finally {
    process.chdir(back);
    process.env = env;
    process.argv = argv;
    isBusy = false;
  }
}

/** The library for completion prints to the process's own output. Two commands at once would share one environment. */
const needsProcess = ([verb = '']: readonly string[]): boolean => isBusy || verb.startsWith('complet');

/** The built program, where there is one, as `bin/troupe.js` does it. */
async function loadProgram(): Promise<typeof Program> {
  const built = join(root, 'dist/main.js');
  return existsSync(built) ? import(/* @vite-ignore */ built) : import('../../src/cli/main.ts');
}

class Heard extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

/** The objects of a JSON Lines output, without reports of progress: whether there are any depends on how long work takes. */
export function jsonLines(text: string): readonly Readonly<Record<string, unknown>>[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !isProgress(line))
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
}

const isProgress = (line: string): boolean => /^\{"kind":"progress\.(?:started|ended|failed)"/.test(line);
