import type { ContainedStart } from '../lib/process-tree.ts';
import type { ProcessResult, RunOptions } from '../lib/run-process.ts';

/**
 * Where a program that is not trusted runs: commands, own tools, CLI agents.
 * `bubblewrap`: namespaces. Only programs of the system and the named folders are there, only named folders can be written, no
 * network unless allowed, nothing survives. Root's commands run with the host id of an ordinary user.
 * `landlock`: reduced. The same is read and written and no TCP connection is made, but names and modes of other files are
 * within reach, and UDP is open.
 * `none`: limits and the end of the whole process tree, no more. Only by an explicit choice.
 */
export type SandboxLevel = 'bubblewrap' | 'landlock' | 'none';

export interface Sandbox {
  readonly level: SandboxLevel;
  /** Folders can be lent as `throwaway`. */
  readonly hasOverlay: boolean;
  /**
   * What to start so that the program runs inside, for a caller that keeps its streams. Start it detached and from the main
   * thread, with `cwd` and `env` as given; end it with `killTree(child, wrapped)`; when it has ended, `dispose`.
   * Throws a fault when the box cannot be built.
   */
  wrap(argv: readonly string[], box: Box): Promise<WrappedStart>;
  /** Runs a program to its end. Never throws for what the program did; a box that cannot be built is a `startFailure`. */
  run(argv: readonly string[], options: SandboxedRun): Promise<SandboxedResult>;
}

export interface Box {
  readonly cwd: string;
  /** The whole environment. Names that no shell could export are left out. */
  readonly env: Readonly<Record<string, string>>;
  readonly folders: readonly LentFolder[];
  /**
   * Files and folders that are not shown, though they may lie in something that is lent. Of two paths the deeper one decides;
   * one that is hidden itself can be lent to be written, not to be read. Landlock cannot hide a part of what is lent.
   */
  readonly hidden: readonly string[];
  readonly network: boolean;
  readonly limits?: BoxLimits;
}

export interface LentFolder {
  readonly path: string;
  /** `throwaway`: writable, but what is written goes to an overlay and is gone at the end. */
  readonly access: 'write' | 'read' | 'throwaway';
}

/** Null removes a limit. Limits that are not named have a default. */
export interface BoxLimits {
  /** Processes and threads, all together. */
  readonly processes?: number | null;
  /** Bytes of one file. */
  readonly fileBytes?: number | null;
  /** Memory of one process that it can write and does not share. */
  readonly memoryBytes?: number | null;
  /** Processor time of one process; no limit by default. */
  readonly cpuSeconds?: number | null;
  readonly openFiles?: number | null;
}

export interface WrappedStart extends ContainedStart {
  readonly cwd: string;
  /** After the end: removes what was made for the box, and says what was written on throw-away folders. */
  readonly dispose: () => Promise<Discarded>;
}

export interface SandboxedRun extends Box, Omit<RunOptions, 'cwd'> {
  /** Both outputs in one, in the order in which they were written. */
  readonly mergeErrors?: boolean;
}

export interface SandboxedResult extends ProcessResult, Discarded {}

/** Files written on throw-away folders. */
export interface Discarded {
  /** Paths that were made, changed or removed, escaped for display, sorted; at most a thousand. */
  readonly discarded: readonly string[];
  /** How many more there were. */
  readonly discardedMore: number;
}

export const NOTHING_DISCARDED: Discarded = { discarded: [], discardedMore: 0 };
