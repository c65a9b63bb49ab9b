import { isFault } from '../../core/fault.ts';
import type { ResultHanded } from '../../core/files-fact.ts';
import { personName } from '../session/drive.ts';
import type { Driving } from '../session/driving.ts';
import type { ConflictView } from '../../host/deliver/conflict-view.ts';
import type { MergeOutcome } from '../../host/deliver/merge-outcome.ts';
import type { RunResult } from '../../host/deliver/run-result.ts';

const MOST = 20;

/** Writes down how a run's result waits for the user, so that everybody who looks at the run sees it. */
export async function noteHanded({ host }: Driving, result: RunResult, outcome: MergeOutcome): Promise<void> {
  const how = handed(outcome);
  if (how === null) return;
  const { run, workspace, tree } = result;
  try {
    await host.note(run, { kind: 'result.handed', workspace, tree, ...how, by: personName() });
  } catch (error) {
    // Somebody drives the run: what it has made so far is told here, and it goes on.
    if (!isFault(error) || error.code !== 'RUN_BUSY') throw error;
  }
}

type How = Omit<ResultHanded, 'kind' | 'workspace' | 'tree' | 'by'>;

/** Null where there is nothing to wait for, or where it is told with the change of the project. */
function handed(outcome: MergeOutcome): How | null {
  switch (outcome.kind) {
    case 'merge.branch':
      return { how: 'branch', where: outcome.branch, ...paths(outcome.conflicts) };
    case 'merge.patch':
      return { how: 'patch', where: outcome.file, ...paths(outcome.conflicts) };
    case 'merge.conflict':
      return { how: 'conflict', ...paths(outcome.conflicts) };
    case 'merge.not-verified':
      return { how: 'not-verified', where: outcome.folder, command: outcome.command, reason: outcome.reason };
    default:
      return null;
  }
}

function paths(conflicts: readonly ConflictView[]): Pick<How, 'conflicts' | 'hasMore'> {
  if (conflicts.length === 0) return {};
  const named = conflicts.slice(0, MOST).map(({ path }) => path);
  return { conflicts: named, ...(conflicts.length > MOST ? { hasMore: true } : {}) };
}
