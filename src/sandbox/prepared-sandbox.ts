import { isFault } from '../core/fault.ts';
import type { ContainedStart } from '../lib/process-tree.ts';
import { notRun, runStart } from '../lib/run-process.ts';
import { NOTHING_DISCARDED } from './port.ts';
import type { Box, Discarded, Sandbox, SandboxedResult, SandboxedRun, SandboxLevel } from './port.ts';

/** A sandbox made of the one thing in which the levels differ: how the start of a program is put together. */
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
  /** The start waits for a word on descriptor 3. */
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
