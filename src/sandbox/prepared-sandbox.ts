import { isFault } from '../core/model/fault.ts';
import { type ContainedStart, GATE } from '../lib/process-tree.ts';
import { notRun, runStart } from '../lib/run-process.ts';
import {
  type Box,
  type Discarded,
  NOTHING_DISCARDED,
  type Sandbox,
  type SandboxedResult,
  type SandboxedRun,
  type SandboxLevel,
} from './port.ts';

/** A sandbox made of the only part in which the levels differ: how the start of a program is put together. */
export function preparedSandbox(traits: SandboxTraits, prepare: Prepare): Sandbox {
  return {
    ...traits,
    wrap: async (argv, box) => {
      const { start, cwd, dispose } = await prepare(argv, box, { gated: false, mergeErrors: false });
      return { ...start, cwd, dispose };
    },
    run: (argv, options) => runPrepared(options, () => prepare(argv, options, runningOptions(options))),
  };
}

export interface SandboxTraits {
  readonly level: SandboxLevel;
  readonly hasOverlay: boolean;
}

/** Throws a fault when the box cannot be built. */
export type Prepare = (argv: readonly string[], box: Box, options: PrepareOptions) => Promise<Prepared>;

export interface PrepareOptions {
  /** The start waits for a byte on descriptor 3. */
  readonly gated: boolean;
  readonly mergeErrors: boolean;
}

export interface Prepared {
  readonly start: ContainedStart;
  /** Where the first program is started; the last one gets to the box's own. */
  readonly cwd: string;
  readonly dispose: () => Promise<Discarded>;
}

const runningOptions = (options: SandboxedRun): PrepareOptions => ({
  gated: true,
  mergeErrors: options.mergeErrors ?? false,
});

async function runPrepared(options: SandboxedRun, prepare: () => Promise<Prepared>): Promise<SandboxedResult> {
  try {
    const prepared = await prepare();
    const result = await runStart(prepared.start, { ...options, cwd: prepared.cwd });
    return { ...result, ...(await prepared.dispose()) };
  } catch (error) {
    if (!isFault(error)) throw error;
    return { ...notRun('namespace-bound', { startFailure: error.message }), ...NOTHING_DISCARDED };
  }
}

/**
 * The last step before the program itself, inside of everything else. The programs that build the box get none of the
 * program's variables under their own names, since some of those (`LD_PRELOAD`, `BASH_FUNC_…`, `PERL5OPT`) would make them
 * run foreign code outside of it. Values travel under neutral names in the environment, never in arguments, which every user
 * of the machine can read.
 */
export function innerCommand(argv: readonly string[], options: InnerOptions): InnerCommand {
  const entries = Object.entries(options.env).filter(([name]) => isExportable(name));
  const carried = entries.map(([name, value], index) => ({ name, value, carrier: `${CARRIER}${index}` }));
  const exports = carried.map(({ name, carrier }) => `export ${name}="$${carrier}"; unset ${carrier}; `).join('');
  const script = `${options.gated ? GATE : ''}${exports}exec "$@"${options.mergeErrors ? ' 2>&1' : ''}`;
  return {
    argv: ['/bin/sh', '-c', script, 'sh', ...argv],
    env: Object.fromEntries(carried.map(({ carrier, value }) => [carrier, value])),
  };
}

export interface InnerOptions {
  readonly env: Readonly<Record<string, string>>;
  /** Waits for a byte on descriptor 3 first. */
  readonly gated: boolean;
  readonly mergeErrors: boolean;
}

export interface InnerCommand {
  readonly argv: readonly string[];
  /** What the outermost program is started with. */
  readonly env: Readonly<Record<string, string>>;
}

const CARRIER = 'BOX_VALUE_';

/** Some shells refuse to set these and end. */
const READ_ONLY = new Set(['SHELLOPTS', 'BASHOPTS', 'BASH_VERSINFO', 'UID', 'EUID', 'PPID']);

const isExportable = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !READ_ONLY.has(name);
