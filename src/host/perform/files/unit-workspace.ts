import { Fault } from '../../../core/model/fault.ts';
import { childRunId } from '../../../core/model/ids.ts';
import type { Snapshot } from '../../../core/fold/snapshot.ts';
import { childWorkspace } from '../../../core/model/workspace-name.ts';
import type { Journal } from '../../../journal/port.ts';

/** The workspace of a pool unit's run. Later pools reuse ids: the newest one counts. */
export async function unitWorkspace(
  journal: Journal,
  { run, workspace }: Pick<Snapshot, 'run' | 'workspace'>,
  unit: string,
): Promise<string> {
  for (const { fact } of (await journal.read(run)).toReversed()) {
    if (fact.kind !== 'task.started' || fact.unit !== unit || fact.work.kind !== 'call') continue;
    return fact.work.workspace === 'own' ? childWorkspace(childRunId(run, fact.task)) : workspace;
  }
  throw new Fault('UNIT_UNKNOWN', `No run was started for a unit named "${unit}", so there is nothing to merge.`, {
    hint: 'The units of a pool are in its result, each with its id.',
  });
}
