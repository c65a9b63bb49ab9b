import { join } from 'node:path';
import { workspacePlace } from '../../workspace/run-place.ts';
import { MadePaths } from '../../workspace/setup/made-paths.ts';
import { changedPathText } from './change-view.ts';
import type { MergeOutcome, MergeReport } from './merge-outcome.ts';
import type { RunResult } from './run-result.ts';

/** Files that setup created and that changed since: no snapshot holds them, so the user is told when taking the result. */
export async function writtenSetupFiles(
  home: string | undefined,
  { run, workspace, store, tree }: Pick<RunResult, 'run' | 'workspace' | 'store' | 'tree'>,
): Promise<readonly MergeReport[]> {
  if (home === undefined) return [];
  const place = workspacePlace(home, run, workspace);
  const made = await MadePaths.of(place);
  await made.mind(store, tree);
  return made.written(place.folder).map((path) => ({
    path: changedPathText(path),
    why: `changed, but it is what setup made and no part of the result; take it from ${join(place.folder, changedPathText(path))}`,
  }));
}

/** The outcome with the files that it leaves out. */
export function withSetupFiles(outcome: MergeOutcome, files: readonly MergeReport[]): MergeOutcome {
  if (files.length === 0 || outcome.kind === 'result.conflict' || outcome.kind === 'result.not-verified')
    return outcome;
  return { ...outcome, leftOut: [...(outcome.leftOut ?? []), ...files] };
}
