import { Fault } from '../../core/fault.ts';
import { runId, type RunId } from '../../core/ids.ts';

/** The run a child belongs to in the end, or the run itself. */
export function rootRun(run: RunId): RunId {
  return runId(run.split('/')[0] ?? run);
}

/** A child goes on, and ends, with its root; alone it would have nobody to tell. */
export function refuseChild(run: RunId): void {
  const root = rootRun(run);
  if (root === run) return;
  throw new Fault('RUN_IS_CHILD', `${run} is part of the run ${root}.`, { hint: `Name that one: ${root}` });
}
