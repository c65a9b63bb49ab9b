import { readFileSync } from 'node:fs';
import { systemProgram } from '../../lib/process-tree.ts';
import type { BoxLimits } from '../port.ts';

/**
 * What puts limits on everything that is started after it: words that go before the command. They stand inside of the
 * namespace, where processes are counted by themselves and not with all others of the user.
 */
export function limitPrefix(limits: BoxLimits, options: PrefixOptions): readonly string[] {
  const program = systemProgram('prlimit');
  if (program === '') return [];
  const wanted = { ...DEFAULT_RESOURCE_LIMITS, ...limits };
  const words = LIMITS.flatMap(({ field, option, name }) => {
    const value = wanted[field];
    if (value === null || (field === 'processes' && !options.countsProcesses)) return [];
    return [`--${option}=${Math.min(value, options.ceilings[name] ?? Infinity)}`];
  });
  return [program, '--core=0', ...words, '--'];
}

export interface PrefixOptions {
  /** The number of processes is to be limited this way. */
  readonly countsProcesses: boolean;
  readonly ceilings: Ceilings;
}

/** Limits that are there already, by the kernel's name for them. They can be lowered, not raised. */
export type Ceilings = Readonly<Record<string, number>>;

export function ownCeilings(): Ceilings {
  try {
    return parseCeilings(readFileSync('/proc/self/limits', 'utf8'));
  } catch {
    return {};
  }
}

export function parseCeilings(text: string): Ceilings {
  const rows = [...text.matchAll(/^Max ([a-z ]+?) {2,}\S+ +(\d+) /gm)];
  return Object.fromEntries(rows.map(([, name = '', hard]) => [name, Number(hard)]));
}

const GIB = 2 ** 30;

/** Enough for builds and browsers, too little to hurt the machine. */
export const DEFAULT_RESOURCE_LIMITS: Required<BoxLimits> = {
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
