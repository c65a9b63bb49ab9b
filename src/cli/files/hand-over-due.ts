import { foldRecords } from '../../core/fold.ts';
import { MAIN_WORKSPACE } from '../../core/workspace-name.ts';
import type { Journal, RunInfo } from '../../journal/port.ts';
import type { RunView } from '../../protocol/run-view.ts';

/** Between a run's end and the first sign of its result lies a moment: whoever drove it only has to take it up again. */
const MOMENT_MS = 2000;

/** The run is over, and its result is being brought to the user, or will be in a moment. */
export async function isHandingOver(journal: Journal, info: RunInfo): Promise<boolean> {
  if (info.status !== 'settled') return false;
  if (info.driven) return true;
  if (Date.now() - info.updatedAt > MOMENT_MS) return false;
  const records = await journal.read(info.run);
  const last = records.at(-1)?.fact;
  if (last?.kind !== 'run.settled' || last.outcome !== 'ok') return false;
  const { files, workspaces } = foldRecords(records);
  const main = workspaces[MAIN_WORKSPACE];
  return files !== null && main !== undefined && main.tree !== main.base;
}

/** The result waits for a person's decision. */
export const needsPerson = ({ handed }: RunView): boolean =>
  handed !== undefined && (handed.how === 'not-verified' || (handed.conflicts ?? []).length > 0);
