import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { orElse } from './or-else.ts';

/**
 * How reliably a process's offspring can be ended:
 * `namespace-bound`: a PID namespace that also dies when our own process is killed. Nothing can outlive it.
 * `namespace`: a PID namespace; a kill -9 of our own process leaves it running.
 * `group`: the process group plus every process that still carries our mark in its environment. A process that left the
 * group and cleaned its environment survives, and so does everything when our own process is killed.
 */
export type Containment = 'namespace-bound' | 'namespace' | 'group';

/** The best level that works here: tested once, not assumed. */
export function bestContainment(): Promise<Containment> {
  tested ??= testLevels();
  return tested;
}

let tested: Promise<Containment> | undefined;

/** What to start so that `argv` runs at this level. */
export interface ContainedStart {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly level: Containment;
  /** The namespace's first process waits for a byte on descriptor 3 before it starts anything (see `openGate`). */
  readonly gated: boolean;
  readonly mark: string;
}

export function containedStart(argv: readonly string[], options: ProgramStart): ContainedStart {
  const mark = newMark();
  const { level } = options;
  if (level === 'group') {
    const env = { ...options.env, [MARK_NAME]: mark };
    const merged = options.mergeErrors ? ['/bin/sh', '-c', 'exec "$@" 2>&1', 'sh', ...argv] : argv;
    return { argv: merged, env, level, gated: false, mark };
  }
  const gated = options.gated ?? true;
  const isBound = level === 'namespace-bound';
  const script = `${isBound ? STARTER_LIVES : ''}${gated ? GATE : ''}"$@"${options.mergeErrors ? ' 2>&1' : ''}; exit $?`;
  const inside = [...NAMESPACE, '/bin/sh', '-c', script, 'sh', ...argv];
  return { argv: isBound ? boundToParent(inside, true) : inside, env: options.env, level, gated, mark };
}

export interface ProgramStart {
  readonly level: Containment;
  readonly env: Readonly<Record<string, string>>;
  readonly mergeErrors: boolean;
  /** For a caller that cannot hold descriptor 3: nothing waits, and nothing reports whether the start succeeded. */
  readonly gated?: boolean;
}

/**
 * Ends with the process that starts it, which has to be ours. If ours is gone before the kernel knew of the bond, nothing is
 * started: the parent is then a different one. The bond follows the thread that starts it, so start from the main thread.
 * With `checksStarter`, the namespace's first process must begin with `STARTER_LIVES`.
 */
export function boundToParent(argv: readonly string[], checksStarter: boolean): readonly string[] {
  if (programs.setpriv === '') return argv;
  const check = `[ "$PPID" = "$0" ] || exit 125; ${checksStarter ? 'exec 9</proc/$$/stat; ' : ''}exec "$@"`;
  return [programs.setpriv, '--pdeathsig', 'KILL', '--', '/bin/sh', '-c', check, String(process.pid), ...argv];
}

/**
 * For the beginning of a namespace's first process, which the kernel ends with its starter from now on: whether the starter
 * was gone before that. Descriptor 9 refers to exactly that process, even after its pid was reused.
 */
export const STARTER_LIVES =
  'read -r starter <&9 || exit 125; case "$starter" in *") Z "* | *") X "*) exit 125 ;; esac; exec 9<&-; ';

/** Distinguishes one start from all others. */
export const newMark = (): string => randomBytes(12).toString('hex');

/**
 * Ends everything that came from `child`. When this resolves in a namespace and `child` has exited, nothing is left:
 * the kernel reports the first process as gone only after all the others are.
 */
export async function killTree(child: ChildProcess, start: ContainedStart): Promise<void> {
  if (child.pid === undefined) return;
  if (start.level === 'group') await killGroup(child.pid, start.mark);
  else await killNamespace(child, child.pid);
}

/**
 * Kills the group and all processes that carry the mark, repeatedly until none is found. Without a mark only the group:
 * reading every process of the system takes longer than most programs do.
 */
export async function killGroup(pid: number, mark: string | null): Promise<void> {
  killQuietly(-pid);
  if (mark === null) return;
  for (let pass = 0; pass < MAX_SWEEPS; pass += 1) {
    const found = await findMarked(mark);
    if (found.length === 0) return;
    for (const each of found) killQuietly(each);
    await delay(5);
  }
}

const MARK_NAME = 'PROCESS_TREE_MARK';
const MAX_SWEEPS = 40;

/**
 * For the beginning of a namespace's first process. It reports that it exists, and starts nothing before it gets the word to
 * go: if we are gone by then, that never comes. The command is its child, since the first process of a namespace is immune
 * to signals from inside, which would change how the command behaves.
 */
export const GATE = 'echo ready >&3 && read -r go <&3 || exit 125; exec 3>&-; ';

const programs = { unshare: systemProgram('unshare'), setpriv: systemProgram('setpriv') };
const NAMESPACE = [
  programs.unshare,
  ...'--user --map-current-user --pid --fork --kill-child --mount-proc --'.split(' '),
];

/** Only from the system's own folders: a program of that name in a project must never be used. Empty if there is none. */
export function systemProgram(name: string): string {
  const folders = ['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/run/current-system/sw/bin'];
  return folders.map((folder) => `${folder}/${name}`).find((path) => existsSync(path)) ?? '';
}

async function testLevels(): Promise<Containment> {
  if (programs.unshare === '') return 'group';
  if (programs.setpriv !== '' && (await levelWorks('namespace-bound'))) return 'namespace-bound';
  return (await levelWorks('namespace')) ? 'namespace' : 'group';
}

/** A detached grandchild holds the output open; the level works if the output ends soon after the kill. */
async function levelWorks(level: Containment): Promise<boolean> {
  const script = '(trap "" TERM HUP; sleep 60) & echo up; sleep 60';
  const start = containedStart(['/bin/sh', '-c', script], { level, env: { PATH: '/usr/bin:/bin' }, mergeErrors: true });
  const [program = '', ...rest] = start.argv;
  const child = spawn(program, rest, {
    env: start.env,
    cwd: '/',
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
  });
  child.on('error', () => undefined);
  openGate(child);
  const ended = new Promise<boolean>((resolve) => {
    child.on('close', () => resolve(true));
  });
  const isUp = await Promise.race([firstOutput(child), ended.then(() => false), delay(TEST_MS, false, { ref: false })]);
  await killTree(child, start);
  const isGone = await Promise.race([ended, delay(TEST_MS, false, { ref: false })]);
  return isUp && isGone;
}

/** Generous: on a machine that is briefly busy, a weaker level would be chosen, and kept. */
const TEST_MS = 30_000;

function firstOutput(child: ChildProcess): Promise<boolean> {
  return new Promise((resolve) => {
    child.stdout?.once('data', (data: Buffer) => resolve(data.toString().startsWith('up')));
  });
}

/** Lets the command start as soon as the first process exists; calls back then. */
export function openGate(child: ChildProcess, onReady: () => void = () => undefined): void {
  const gate = child.stdio[3];
  if (gate === null || gate === undefined || !('write' in gate)) return;
  gate.on('error', () => undefined);
  gate.once('data', () => {
    onReady();
    gate.end('go\n');
  });
}

async function killNamespace(child: ChildProcess, pid: number): Promise<void> {
  // The first process is killed rather than its starter: the starter then exits after all are gone, not before.
  for (let tries = 0; tries < 200 && isRunning(child); tries += 1) {
    const first = await firstChildOf(pid);
    if (first !== null) {
      killQuietly(first);
      return;
    }
    await delay(5);
  }
  if (isRunning(child)) killQuietly(pid);
}

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}

async function firstChildOf(pid: number): Promise<number | null> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const first = Number.parseInt(children, 10);
  return Number.isNaN(first) ? null : first;
}

async function findMarked(mark: string): Promise<readonly number[]> {
  const names = await readdir('/proc').catch(() => []);
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  const needle = `${MARK_NAME}=${mark}`;
  const found = await Promise.all(
    pids.map(async (pid) => {
      const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
      return environment.split('\0').includes(needle) ? pid : null;
    }),
  );
  return found.filter((pid) => pid !== null);
}

/** It may be gone already. */
function killQuietly(pid: number): void {
  orElse(() => process.kill(pid, 'SIGKILL'), false);
}
