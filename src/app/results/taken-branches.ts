import type { ResultState } from '../../core/result-state.ts';
import type { RunView } from '../../protocol/run-view.ts';
import { waitingBranches } from '../../workspace/changes/waiting-branch.ts';

interface Delivered {
  readonly project: string;
  readonly result?: ResultState;
  readonly handed?: RunView['handed'];
}

/** The runs, without results on branches that the user merged or deleted: no record says that, only git does. */
export async function withoutTaken<Run extends Delivered>(runs: readonly Run[]): Promise<readonly Run[]> {
  const waiting = new Map<string, ReadonlySet<string>>();
  for (const [project, group] of Map.groupBy(runs.filter(isOnBranch), (run) => run.project))
    waiting.set(project, await waitingBranches(project, group.map(branchOf)));
  return runs.map((run) => {
    if (!isOnBranch(run) || waiting.get(run.project)?.has(branchOf(run)) === true) return run;
    const { result: _result, handed: _handed, ...rest } = run;
    return rest as unknown as Run;
  });
}

const isOnBranch = ({ result }: Delivered): boolean => result?.kind === 'branch' && result.where !== undefined;

const branchOf = ({ result }: Delivered): string => result?.where ?? '';
