import { NO_RESULT, resultBranch, withBranch, type ResultState } from '../../core/result-state.ts';
import { takenBranches } from '../../workspace/changes/taken-branches.ts';

interface Delivered {
  readonly project: string;
  readonly result?: ResultState;
}

/** The runs with their results as git has them now: no record says that the user merged or deleted a branch. */
export async function withGit<Run extends Delivered>(
  runs: readonly Run[],
): Promise<readonly (Run & { readonly result: ResultState })[]> {
  const known = new Map<string, Awaited<ReturnType<typeof takenBranches>>>();
  const waiting = runs.filter(({ result = NO_RESULT }) => resultBranch(result) !== null);
  for (const [project, group] of Map.groupBy(waiting, (run) => run.project))
    known.set(project, await takenBranches(project, group.map(branchOf)));
  return runs.map((run) => ({
    ...run,
    result: withBranch(run.result ?? NO_RESULT, known.get(run.project)?.get(branchOf(run))),
  }));
}

const branchOf = ({ result = NO_RESULT }: Delivered): string => resultBranch(result) ?? '';
