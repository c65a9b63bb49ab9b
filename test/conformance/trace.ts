import type { Data } from './machine.ts';

/** What can be seen of a machine that was run, whichever engine ran it. */
export interface Trace {
  /** States entered, in order. */
  readonly path: readonly string[];
  /** How long the path was after the start and after each action. */
  readonly steps: readonly number[];
  readonly data: Data;
  readonly end: TraceEnd;
}

/**
 * `done`: the final state was reached. `error`: a condition or script threw, or a failure without a handler. `stuck`: no
 * transition matched. `late`: a timeout without a handler. `paused`: a state would have been entered too often.
 */
export type TraceEnd = 'done' | 'error' | 'stuck' | 'late' | 'paused' | 'running';
