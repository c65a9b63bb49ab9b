import { join } from 'node:path';
import { Fault } from '../../core/model/fault.ts';
import { MAIN_WORKSPACE } from '../../core/model/workspace-name.ts';
import { runPlace } from '../../workspace/run-place.ts';
import type { MergeTarget } from './merge-outcome.ts';
import type { RunResult } from './run-result.ts';

/** The only ref that Troupe creates by itself. */
export const ownBranch = ({ run, workspace }: Pick<RunResult, 'run' | 'workspace'>): string =>
  `troupe/${workspace === MAIN_WORKSPACE ? run : `${run}-${workspace}`}`;

/** Identifies the branch of a result: each workspace of a run has its own results. */
export const resultOwner = ({ run, workspace }: { readonly run: string; readonly workspace: string }): string =>
  workspace === MAIN_WORKSPACE ? run : `${run} ${workspace}`;

/** In git a branch that Troupe owns; elsewhere a patch next to the run's files. */
export function defaultTarget(result: RunResult, home: string | undefined): MergeTarget {
  const { run, workspace, isGit } = result;
  if (isGit) return { kind: 'branch', name: ownBranch(result) };
  if (home === undefined) throw new Fault('HOME_MISSING', 'There is no folder for the patch of the run.');
  const file = workspace === MAIN_WORKSPACE ? 'result.patch' : `result-${workspace}.patch`;
  return { kind: 'patch', file: join(runPlace(home, run).base, file), isOwn: true };
}
