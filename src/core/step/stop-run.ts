import { stopEverything } from './end-task.ts';
import type { Failure, Outcome } from '../model/outcome.ts';
import type { StepProgress } from './progress.ts';

/** How a run is ended from outside. */
export interface RunStop {
  readonly outcome: Outcome;
  readonly failure: Failure;
  /** The failure of the work that was in progress. */
  readonly ofWork: Failure;
}

/** The run settles with this outcome once all its work has stopped, child runs included. */
export function stopRun(progress: StepProgress, { outcome, failure, ofWork }: RunStop): void {
  if (progress.snapshot.stopping !== null) return;
  progress.record({ kind: 'run.stopping', outcome, failure });
  stopEverything(progress, ofWork);
}
