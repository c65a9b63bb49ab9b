import { Fault } from '../../core/fault.ts';
import type { Snapshot } from '../../core/snapshot.ts';
import type { RunInfo } from '../../journal/port.ts';

/** A decision about a result needs a run that is over. */
export function refuseOpen({ run, status }: Pick<RunInfo | Snapshot, 'run' | 'status'>): void {
  if (status === 'settled') return;
  throw new Fault('RUN_OPEN', `Run ${run} is not over.`, {
    hint: `Wait for its end (troupe watch ${run}), or end it: troupe cancel ${run}`,
  });
}

export function refuseDiscarded({ run, discardedBy }: Pick<Snapshot, 'run' | 'discardedBy'>): void {
  if (discardedBy === null) return;
  throw new Fault('RESULT_DISCARDED', `${discardedBy} discarded the result of run ${run}.`, {
    hint: `Undo the discard first: troupe discard ${run} --undo`,
  });
}
