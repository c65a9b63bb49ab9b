import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ChildProcess } from 'node:child_process';
import type { FoundLevel, FoundSandboxes } from '../../../src/sandbox/found-level.ts';
import { openSandbox } from '../../../src/sandbox/open-sandbox.ts';
import type { Sandbox, SandboxedResult, SandboxedRun, SandboxLevel } from '../../../src/sandbox/port.ts';

/** Something hostile, tried for real at each level that promises to withstand it. Throws when it succeeds. */
export interface Attack {
  readonly title: string;
  readonly levels: readonly SandboxLevel[];
  /** What this machine lacks for it, if anything. */
  readonly lacks?: (found: FoundLevel) => string | null;
  readonly run: (scene: Scene) => Promise<void>;
}

export interface Scene {
  readonly found: FoundLevel;
  readonly sandbox: Sandbox;
  /** Lent for writing. */
  readonly work: string;
  /** Not lent, hidden; holds `secret`. */
  readonly kept: string;
  /** The text in the file `secret`, and in the environment of `stranger`. */
  readonly canary: string;
  /** A process outside. */
  readonly stranger: ChildProcess;
  readonly shell: (script: string, options?: Partial<SandboxedRun>) => Promise<SandboxedResult>;
  readonly options: (more?: Partial<SandboxedRun>) => SandboxedRun;
}

/** Every attack at every level, with its own name. */
export function trials(attacks: readonly Attack[]): readonly Trial[] {
  return attacks.flatMap((attack) =>
    attack.levels.map((level) => ({ name: `${attack.title} (${level})`, level, attack })),
  );
}

export interface Trial {
  readonly name: string;
  readonly level: SandboxLevel;
  readonly attack: Attack;
}

/** Why a trial cannot be held here. */
export function missingFor(trial: Trial, found: FoundSandboxes): string | null {
  const level = found.levels.find((each) => each.level === trial.level);
  if (level === undefined) return `${trial.level} is not known here`;
  if (level.failures.length > 0) return `${trial.level} does not work here: ${level.failures.join('; ')}`;
  return trial.attack.lacks?.(level) ?? null;
}

export async function hold(trial: Trial, found: FoundSandboxes): Promise<void> {
  const level = found.levels.find((each) => each.level === trial.level);
  if (level === undefined) throw new Error(`${trial.level} was not tested`);
  const place = await realpath(await mkdtemp(join(tmpdir(), 'attack-')));
  const [work, kept] = [join(place, 'work'), join(place, 'kept')];
  const canary = `canary-${randomBytes(9).toString('hex')}`;
  await Promise.all([mkdir(work), mkdir(kept)]);
  await writeFile(join(kept, 'secret'), canary);
  const stranger = spawn('/bin/sh', ['-c', 'read -r line'], {
    env: { SECRET: canary },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const sandbox = openSandbox(level, found.scratch);
  const options = (more: Partial<SandboxedRun> = {}): SandboxedRun => ({
    cwd: work,
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: work, TMPDIR: work },
    folders: [
      { path: dirname(process.execPath), access: 'read' },
      { path: work, access: 'write' },
    ],
    hidden: [kept],
    network: false,
    timeoutMs: 25_000,
    ...more,
  });
  const shell: Scene['shell'] = (script, more = {}) => sandbox.run(['/bin/sh', '-c', script], options(more));
  try {
    await trial.attack.run({ found: level, sandbox, work, kept, canary, stranger, shell, options });
  } finally {
    stranger.stdin?.destroy();
    stranger.kill('SIGKILL');
    await rm(place, { recursive: true, force: true });
  }
}

export const EVERY: readonly SandboxLevel[] = ['bubblewrap', 'landlock', 'none'];
export const CONFINED: readonly SandboxLevel[] = ['bubblewrap', 'landlock'];
export const STRONGEST: readonly SandboxLevel[] = ['bubblewrap'];

/** Processes on the machine whose command line has the text in it. */
export function processesWith(text: string): readonly number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(text);
    } catch {
      return false;
    }
  });
}

/** Waits until it is so; gives up after a while with the last value. */
export async function eventually<T>(read: () => T, isSo: (value: T) => boolean, withinMs: number): Promise<T> {
  const end = Date.now() + withinMs;
  for (;;) {
    const value = read();
    if (isSo(value) || Date.now() > end) return value;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
