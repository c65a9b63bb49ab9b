import type { BoxLimits } from '../port.ts';
import { mkdtempSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { orElse } from '../../lib/or-else.ts';
import { systemProgram } from '../../lib/process-tree.ts';
import { readOrNull } from '../../lib/process-identity.ts';
import { errorCode } from '../../lib/held-folder.ts';

/**
 * How the number of processes is limited here: `rlimit` does nothing for root, and outside of a namespace counts other
 * processes of the user.
 */
export type ProcessLimit = 'rlimit' | 'control-group' | 'none';

/** Applies the limits of one box. */
export function openLimits(limits: BoxLimits, processLimit: ProcessLimit): OpenLimits {
  const max = limits.processes === undefined ? DEFAULT_RESOURCE_LIMITS.processes : limits.processes;
  const group = processLimit === 'control-group' && max !== null ? openControlGroup(max) : null;
  return {
    outer: group?.prefix ?? [],
    inner: limitPrefix(limits, { countsProcesses: processLimit === 'rlimit', ceilings: ownCeilings() }),
    remove: () => group?.remove() ?? Promise.resolve(),
  };
}

export interface OpenLimits {
  /** Arguments before everything else. */
  readonly outer: readonly string[];
  /** Arguments right before the program. */
  readonly inner: readonly string[];
  readonly remove: () => Promise<void>;
}

/**
 * A limit on the number of processes for root, to whom the ordinary one does not apply: a control group of the kernel.
 * Null where none may be made.
 */
function openControlGroup(maxProcesses: number): ControlGroup | null {
  const root = controlGroupRoot();
  if (root === null) return null;
  removeOrphans(root);
  // A process may have loaded this code twice, as a bundle and as a library: a number would name two groups alike.
  const folder = orElse(() => mkdtempSync(join(root, `${PREFIX}${process.pid}-`)), null);
  if (folder === null) return null;
  try {
    writeFileSync(join(folder, 'pids.max'), String(maxProcesses));
  } catch {
    removeQuietly(folder);
    return null;
  }
  return { prefix: joining(join(folder, 'cgroup.procs')), remove: () => removeWhenEmpty(folder) };
}

export interface ControlGroup {
  /** Arguments before the command. */
  readonly prefix: readonly string[];
  readonly remove: () => Promise<void>;
}

const PREFIX = 'troupe-';

const joining = (file: string): readonly string[] => ['/bin/sh', '-c', 'echo $$ > "$0" || exit 125; exec "$@"', file];

/** The older kind has a tree for each controller, the newer one tree for all. */
function controlGroupRoot(): string | null {
  const isThere = (file: string, word = '') => readOrNull(file)?.split(/\s/).includes(word) === true;
  if (isThere('/sys/fs/cgroup/cgroup.subtree_control', 'pids')) return '/sys/fs/cgroup';
  return readOrNull('/sys/fs/cgroup/pids/cgroup.procs') === null ? null : '/sys/fs/cgroup/pids';
}

/** The kernel needs a moment after the last process is gone. */
async function removeWhenEmpty(folder: string): Promise<void> {
  for (let tries = 0; tries < 20 && !removeQuietly(folder); tries += 1) await delay(10);
}

/** Left by a process that was killed. A group with processes in it cannot be removed, so nothing living is hurt. */
function removeOrphans(root: string): void {
  const names = readdirSync(root).filter((name) => name.startsWith(PREFIX));
  for (const name of names) {
    const pid = name.slice(PREFIX.length).split('-')[0] ?? '';
    if (readOrNull(`/proc/${pid}/stat`) === null) removeQuietly(join(root, name));
  }
}

function removeQuietly(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    return errorCode(error) === 'ENOENT';
  }
}

/**
 * The arguments that limit everything started after them. They go inside the namespace, where its processes are counted
 * alone and not with all others of the user.
 */
export function limitPrefix(limits: BoxLimits, options: PrefixOptions): readonly string[] {
  const program = systemProgram('prlimit');
  if (program === '') return [];
  const effective = { ...DEFAULT_RESOURCE_LIMITS, ...limits };
  const args = LIMITS.flatMap(({ field, option, name }) => {
    const value = effective[field];
    if (value === null || (field === 'processes' && !options.countsProcesses)) return [];
    return [`--${option}=${Math.min(value, options.ceilings[name] ?? Infinity)}`];
  });
  return [program, '--core=0', ...args, '--'];
}

export interface PrefixOptions {
  /** The number of processes is to be limited this way. */
  readonly countsProcesses: boolean;
  readonly ceilings: Ceilings;
}

/** Limits that are there already, by the kernel's name for them. They can be lowered, not raised. */
export type Ceilings = Readonly<Record<string, number>>;

export function ownCeilings(): Ceilings {
  return orElse(() => parseCeilings(readFileSync('/proc/self/limits', 'utf8')), {});
}

export function parseCeilings(text: string): Ceilings {
  const rows = [...text.matchAll(/^Max ([a-z ]+?) {2,}\S+ +(\d+) /gm)];
  return Object.fromEntries(rows.map(([, name = '', hard]) => [name, Number(hard)]));
}

const GIB = 2 ** 30;

/** Enough for builds and browsers, too little to hurt the machine. */
const DEFAULT_RESOURCE_LIMITS: Required<BoxLimits> = {
  processes: 1024,
  fileBytes: 4 * GIB,
  memoryBytes: 8 * GIB,
  cpuSeconds: null,
  openFiles: 65_536,
};

/**
 * Memory is limited by what can be written (`data`), not by addresses (`as`): runtimes reserve far more addresses than they
 * will ever use.
 */
const LIMITS = [
  { field: 'processes', option: 'nproc', name: 'processes' },
  { field: 'fileBytes', option: 'fsize', name: 'file size' },
  { field: 'memoryBytes', option: 'data', name: 'data size' },
  { field: 'cpuSeconds', option: 'cpu', name: 'cpu time' },
  { field: 'openFiles', option: 'nofile', name: 'open files' },
] as const;
