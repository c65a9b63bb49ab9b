import { spawn } from 'node:child_process';
import { createReadStream, existsSync, type ReadStream } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { Readable } from 'node:stream';
import { Fault } from '../core/model/fault.ts';

/**
 * Runs git with bytes in and bytes out, in a folder that may belong to anybody. Nothing that a repository, an agent or a file
 * configures gets to run: no hook, no monitor, no pager, no diff or merge program, no transport. Never throws for what git says.
 */
export async function runGit(words: readonly string[], call: GitCall): Promise<GitAnswer> {
  const git = findGit();
  if (git === null) throw gitMissing();
  const child = spawn(git, [...SAFE_GIT, '--no-replace-objects', ...words], {
    cwd: call.cwd,
    env: { ...environment(call.config ?? 'none'), ...call.env },
    stdio: ['pipe', 'pipe', 'pipe'],
    // An interrupt from the terminal is for the engine, which then decides.
    detached: true,
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
      collect(child.stdout, MAX_OUTPUT_BYTES),
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
}

export interface GitAnswer {
  /** Null when it was killed. */
  readonly exitCode: number | null;
  readonly output: Buffer;
  readonly isCut: boolean;
  readonly errorOutput: string;
}

/** The output where only success counts. */
export async function gitOutput(words: readonly string[], call: GitCall): Promise<Buffer> {
  const answer = await runGit(words, call);
  if (answer.exitCode === 0 && !answer.isCut) return answer.output;
  const command = words.find((word, at) => !word.startsWith('-') && words[at - 1] !== '-c') ?? '';
  const said = answer.isCut ? 'its answer is too large.' : answer.errorOutput.trim() || 'it was stopped.';
  throw new Fault('GIT_FAILED', `git ${command} did not succeed: ${said}`, {
    hint: 'Nothing was changed. Try again. If it fails again, check the repository with `git fsck`.',
    facts: { words },
  });
}

/** Git's output for a folder of the user, one character per byte; null on failure, or without git. */
export async function askGit(cwd: string, words: readonly string[]): Promise<string | null> {
  const answer = await runGit(words, { cwd, config: 'user' }).catch(() => null);
  return answer?.exitCode === 0 && !answer.isCut ? answer.output.toString('latin1') : null;
}

/** Git's output for trees of a store. It sees only the store: no work tree, and no configuration but its own. */
export async function storeGit({ gitDir }: { readonly gitDir: string }, words: readonly string[]): Promise<Buffer> {
  return gitOutput([...STORE_SETTINGS, ...words], { cwd: gitDir, env: { GIT_DIR: gitDir } });
}

/** From this size on git streams a file instead of holding it, and compares it as bytes. */
export const BIG_FILES = 'core.bigFileThreshold=16m';

const TIMEOUT_MS = 300_000;
const MAX_OUTPUT_BYTES = 512 * 1024 * 1024;
const MAX_ERROR_BYTES = 65_536;

const settings = (...pairs: readonly string[]): readonly string[] => pairs.flatMap((pair) => ['-c', pair]);

/** They go before the command wherever git is started. */
export const SAFE_GIT: readonly string[] = [
  '--no-optional-locks',
  '--no-pager',
  ...settings('core.hooksPath=/dev/null', 'core.fsmonitor=false', 'core.untrackedCache=false', 'gc.auto=0'),
  ...settings('maintenance.auto=false', 'protocol.allow=never', 'safe.directory=*', 'safe.bareRepository=explicit'),
];

/** Names are kept as they are, whatever another system would make of them. */
const STORE_SETTINGS = [
  ...settings('core.attributesFile=/dev/null', 'core.excludesFile=/dev/null', 'core.quotePath=false', BIG_FILES),
  ...settings('core.protectHFS=false', 'core.protectNTFS=false'),
];

function environment(config: 'none' | 'user'): Record<string, string> {
  const { HOME, XDG_CONFIG_HOME } = process.env;
  const none = {
    HOME: '/nonexistent',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_ATTR_NOSYSTEM: '1',
  };
  const user = {
    ...(HOME === undefined ? {} : { HOME }),
    ...(XDG_CONFIG_HOME === undefined ? {} : { XDG_CONFIG_HOME }),
  };
  return {
    PATH: '/usr/bin:/bin',
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_OPTIONAL_LOCKS: '0',
    ...(config === 'none' ? none : user),
  };
}

/** Absolute entries of the path only: a `git` in the present folder is not git. */
export function findGit(): string | null {
  const own = (process.env['PATH'] ?? '').split(':').filter((entry) => isAbsolute(entry));
  const folders = ['/usr/bin', '/usr/local/bin', '/opt/homebrew/bin', ...own];
  return folders.map((folder) => join(folder, 'git')).find((file) => existsSync(file)) ?? null;
}

function gitMissing(): Fault {
  return new Fault('GIT_MISSING', 'There is no git on this machine.', {
    hint: 'Install git (2.31 or later): differences, merges and branches are made with it.',
  });
}

/** If git ended early, the rest of the file is not read. */
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
