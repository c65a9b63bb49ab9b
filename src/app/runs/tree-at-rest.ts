import { foldRecords } from '../../core/fold/fold.ts';
import type { RunId } from '../../core/model/ids.ts';
import { isRunPaused } from '../../core/step/paused.ts';
import { isAtRest } from '../../core/fold/work-clock.ts';
import type { Journal, RunInfo } from '../../journal/port.ts';
import { runsBelow } from './tree-reader.ts';

/** Whether only a person can let a run go on that workers drive: no worker has it, and it has heard all that was said to it. */
export async function isTreeAtRest(journal: Journal, run: RunId): Promise<boolean> {
  const open = (await runsBelow(journal, run)).filter(({ status }) => status !== 'settled');
  for (const info of open) if (!(await isStill(journal, info))) return false;
  return true;
}

async function isStill(journal: Journal, { run, driven }: RunInfo): Promise<boolean> {
  if (driven || (await journal.inbox(run)).length > 0) return false;
  const snapshot = foldRecords(await journal.read(run));
  return isRunPaused(snapshot) || isAtRest(snapshot.clock);
}
