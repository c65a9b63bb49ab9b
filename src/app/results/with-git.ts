import { existsSync } from 'node:fs';
import { asFound, NO_RESULT, resultBranch, type ResultState, type TakenResult } from '../../core/look/result-state.ts';
import { takenBranches, type UserBranch, userBranches } from '../../workspace/changes/user-refs.ts';
import type { RunInfo } from '../../journal/port.ts';
import type { Shown } from '../../protocol/operations/views.ts';
import { whole } from '../../protocol/whole-list.ts';
import type { BranchLine } from '../../protocol/web/changes-page.ts';

interface Delivered {
  readonly project: string;
  readonly result?: ResultState;
}

/** The runs with their results as they are found now: git is asked about branches, and patches are looked for on the disk. */
export async function withGit<Run extends Delivered>(
  runs: readonly Run[],
): Promise<readonly (Run & { readonly result: ResultState })[]> {
  const taken = await takenResults(runs);
  return runs.map((run) => ({ ...run, result: asFound(run.result ?? NO_RESULT, taken.get(run)) }));
}

/** Those whose branch or patch the user merged or deleted. */
export async function takenResults<Run extends Delivered>(
  runs: readonly Run[],
): Promise<ReadonlyMap<Run, TakenResult>> {
  const taken = new Map<Run, TakenResult>();
  for (const run of runs) if (isPatchGone(run)) taken.set(run, 'patch-gone');
  const onBranches = runs.filter((run) => branchOf(run) !== '');
  for (const [project, group] of Map.groupBy(onBranches, (run) => run.project)) {
    const found = await takenBranches(project, group.map(branchOf));
    for (const run of group) {
      const how = found.get(branchOf(run));
      if (how !== undefined) taken.set(run, how);
    }
  }
  return taken;
}

const branchOf = ({ result = NO_RESULT }: Delivered): string => resultBranch(result) ?? '';

const isPatchGone = ({ result }: Delivered): boolean =>
  result?.kind === 'patch' && result.where !== undefined && !existsSync(result.where);

/** Branches to compare a run with: the checked-out one first, then by their newest commit. */
export async function branchList({ run, project }: RunInfo): Promise<Shown<'branches'>> {
  const branches = existsSync(project) ? await userBranches(project) : null;
  return { kind: 'branches', run, isGit: branches !== null, ...whole((branches ?? []).map(branchLine)) };
}

const branchLine = ({ name, commit, at, isCurrent, isRemote }: UserBranch): BranchLine => ({
  name,
  commit,
  at,
  ...(isCurrent ? { isCurrent: true } : {}),
  ...(isRemote ? { isRemote: true } : {}),
});
