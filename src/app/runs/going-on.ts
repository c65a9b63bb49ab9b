import type { Fault } from '../../core/model/fault.ts';
import type { RunId } from '../../core/model/ids.ts';
import type { HeldRun } from '../../host/port.ts';

/**
 * What becomes of something that lets a run go on. `elsewhere`: the process that drives the run has taken it. `here`: this process
 * drives the run from the moment `begin` is called; the caller waits until the run rests. `queued`: a worker drives it once `begin`
 * was called.
 */
export type GoingOn = { readonly kind: 'elsewhere' } | Begin;

export interface Begin {
  readonly kind: 'here' | 'queued';
  readonly run: RunId;
  /** A fault where the run goes on without what was asked, such as an answer that came too late. */
  readonly begin: () => Promise<Fault | null>;
  /** Where another process is to drive the run: does as much as needs no driver, and holds the run for it. */
  readonly prepare?: () => Promise<PreparedAnswer>;
}

export interface PreparedAnswer {
  readonly held: HeldRun;
  /**
   * Null where all that was asked is recorded. Otherwise it lies in the inbox: waits until the driver has taken it, and rejects
   * where it came too late.
   */
  readonly heard: (() => Promise<void>) | null;
}
