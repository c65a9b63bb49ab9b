import type { ResolvedWork } from '../record/task-fact.ts';
import type { LimitName } from '../record/limit-fact.ts';

/**
 * How long runs and tasks take (R4): a fold of one run's records, so that every limit and every view has the same figure.
 * Time is work, waiting for a person, or a pause, and each moment is exactly one of them.
 */
export interface RunClock extends ClockFace {
  /** Open tasks. A list, because few are open, and copying one is cheaper than copying a dictionary. */
  readonly tasks: readonly TaskClock[];
}

/** The part of a run's clock that its own time needs. */
export interface ClockFace {
  readonly startedAt: number;
  readonly endedAt: number | null;
  /** Pauses that have ended, and times without a driver. */
  readonly pausedMs: number;
  readonly still: { readonly since: number; readonly limit: LimitName | null; readonly isHeld: boolean } | null;
  /** Waits that have ended. Waits are measured without the pauses, as `movingMs` counts. */
  readonly waitedMs: number;
  readonly waitsSince: number | null;
}

export interface TaskClock {
  readonly id: string;
  readonly kind: ResolvedWork['kind'];
  readonly startedAt: number;
  /** The same moment without the run's pauses. */
  readonly since: number;
  readonly waitedMs: number;
  readonly waitsSince: number | null;
  /** Tools of the turn that have not finished. */
  readonly openTools: number;
  /** What it waits for: tools that need a permission, and runs below that wait themselves. */
  readonly waitsFor: readonly string[];
}
