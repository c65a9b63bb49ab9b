import { spawn } from 'node:child_process';
import { createReadStream, type ReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { Fault } from '../../core/fault.ts';
import { findGit } from '../quiet-git.ts';

/**
 * Runs one of git's plumbing commands with bytes in and bytes out. Nothing that a repository, an agent or a file configures
 * gets to run: no hook, no monitor, no pager, no diff or merge program, no transport. Never throws for what git says.
 */
export async function runGit(words: readonly string[], call: GitCall): Promise<GitAnswer> {
  const child = spawn(gitProgram(), [...SAFE_SETTINGS, ...words], {
    cwd: call.cwd,
    env: { ...environment(call.config ?? 'none'), ...call.env },
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
  });
  // Git may answer before it has read everything.
  child.stdin.on('error', () => undefined);
  const file = call.inputFile === undefined ? null : createReadStream(call.inputFile);
  if (file === null) child.stdin.end(call.input ?? '');
  else file.on('error', () => child.kill('SIGKILL')).pipe(child.stdin);
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  try {
    const [output, errors, exitCode] = await Promise.all([
      collect(child.stdout, call.maxOutputBytes ?? MAX_OUTPUT_BYTES),
      collect(child.stderr, MAX_ERROR_BYTES),
      ended,
    ]);
    return { exitCode, output: output.bytes, isCut: output.isCut, errorOutput: errors.bytes.toString('utf8') };
  } finally {
    if (file !== null) await close(file);
  }
}

export interface GitCall {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: Buffer | string;
  /** A file to read from instead. */
  readonly inputFile?: string;
  /** `user`: the settings of user and machine count: who they are, what they ignore. Otherwise only those of the repository. */
  readonly config?: 'none' | 'user';
  readonly maxOutputBytes?: number;
}

export interface GitAnswer {
  /** Null when it was killed. */
  readonly exitCode: number | null;
  readonly output: Buffer;
  readonly isCut: boolean;
  readonly errorOutput: string;
}

/** The same where only success counts. */
export async function gitOutput(words: readonly string[], call: GitCall): Promise<Buffer> {
  const answer = await runGit(words, call);
  if (answer.exitCode === 0 && !answer.isCut) return answer.output;
  throw gitFailed(words, answer.isCut ? 'its answer is too large.' : answer.errorOutput);
}

export function gitFailed(words: readonly string[], said: string): Fault {
  const command = words.find((word, at) => !word.startsWith('-') && words[at - 1] !== '-c') ?? '';
  return new Fault('GIT_FAILED', `git ${command} did not succeed: ${said.trim() || 'it was stopped.'}`, {
    hint: 'Nothing was changed. Try again; if it stays so, see what `git fsck` says.',
    facts: { words },
  });
}

/** From this size on git streams a file instead of holding it, and compares it as bytes. */
export const BIG_FILES = 'core.bigFileThreshold=16m';

const TIMEOUT_MS = 300_000;
const MAX_OUTPUT_BYTES = 512 * 1024 * 1024;
const MAX_ERROR_BYTES = 65_536;

const SAFE_SETTINGS = [
  '--no-optional-locks',
  '--no-replace-objects',
  ...[
    'core.hooksPath=/dev/null',
    'core.fsmonitor=false',
    'core.untrackedCache=false',
    'core.pager=cat',
    'gc.auto=0',
    'maintenance.auto=false',
    'protocol.allow=never',
    'safe.directory=*',
    'safe.bareRepository=explicit',
  ].flatMap((setting) => ['-c', setting]),
];

function environment(config: 'none' | 'user'): Record<string, string> {
  const base = {
    PATH: '/usr/bin:/bin',
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_OPTIONAL_LOCKS: '0',
  };
  if (config === 'none') {
    return {
      ...base,
      HOME: '/nonexistent',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_ATTR_NOSYSTEM: '1',
    };
  }
  const own = ['HOME', 'XDG_CONFIG_HOME'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...base, ...Object.fromEntries(own) };
}

function gitProgram(): string {
  const found = findGit(process.env['PATH'] ?? '');
  if (found === null) throw gitMissing();
  return found;
}

export function gitMissing(): Fault {
  return new Fault('GIT_MISSING', 'There is no git on this machine.', {
    hint: 'Install git (2.31 or later): differences, merges and branches are made with it.',
  });
}

/** Where git ended early, nobody reads the file to its end. */
async function close(file: ReadStream): Promise<void> {
  if (file.closed) return;
  await new Promise<void>((resolve) => {
    file.once('close', resolve).destroy();
  });
}

async function collect(stream: Readable, maxBytes: number): Promise<{ bytes: Buffer; isCut: boolean }> {
  const parts: Buffer[] = [];
  let total = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    total += chunk.length;
    if (total <= maxBytes) parts.push(chunk);
  }
  return { bytes: Buffer.concat(parts), isCut: total > maxBytes };
}
