import { Fault } from '../../core/model/fault.ts';
import { rootRunId, type RunId } from '../../core/model/ids.ts';

/** A child goes on, and ends, with its root; alone it would have no parent to report to. */
export function refuseChild(run: RunId): void {
  const root = rootRunId(run);
  if (root === run) return;
  throw new Fault('RUN_IS_CHILD', `${run} is part of the run ${root}.`, { hint: `Name that one: ${root}` });
}
