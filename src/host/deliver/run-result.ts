import { existsSync } from 'node:fs';
import { Fault } from '../../core/model/fault.ts';
import { doubtsOf } from '../../core/record/file-doubts.ts';
import type { OpenConflicts, RefusedFiles } from '../../core/record/files-fact.ts';
import type { RunId, TreeId } from '../../core/model/ids.ts';
import type { Journal } from '../../journal/port.ts';
import type { World } from '../world.ts';
import type { TreeStore } from '../../workspace/store/port.ts';
import { madeFrom, treeOf, type RunFiles } from './find-files.ts';
import { requireTrees } from './kept-trees.ts';
import { appliedOf } from '../../core/history/applied-changes.ts';

/** The files of a run's workspace, to be delivered to the user. */
export interface RunResult {
  readonly run: RunId;
  readonly workspace: string;
  readonly project: string;
  readonly isGit: boolean;
  readonly began: TreeId;
  /** The commit that was checked out then, if known. */
  readonly start: string | null;
  /** The tree that the workspace was created from. */
  readonly base: TreeId;
  /** The tree that was already put into the user's files: only later changes are delivered. */
  readonly applied: TreeId | null;
  readonly tree: TreeId;
  readonly store: TreeStore;
  readonly open?: OpenConflicts;
  /** Why a merge or a check refused these files. */
  readonly refused?: RefusedFiles;
}

export async function runResult({ world }: ResultSources, files: RunFiles, workspace: string): Promise<RunResult> {
  const { root: run, project, began } = files;
  const store = await world.workspaces.store(project);
  const [base, tree] = [madeFrom(files, workspace), treeOf(files, workspace)];
  const applied = appliedOf(await world.journal.read(run), workspace);
  await requireTrees(store, run, [base, applied ?? base, tree]);
  const isGit = began.source === 'git';
  const start = began.commit ?? null;
  const doubts = doubtsOf(files.workspaces.get(workspace) ?? {});
  return { run, workspace, project, isGit, began: began.tree, start, base, applied, tree, store, ...doubts };
}

interface ResultSources {
  readonly world: Pick<World, 'workspaces' | 'journal'>;
}

/** The user's folder must exist before anything is delivered to it. */
export function requireProject(project: string): void {
  if (existsSync(project)) return;
  throw new Fault('PROJECT_MISSING', `The folder of the project is gone: ${project}`, {
    hint: 'Put it back, or take the changes as a patch: troupe diff RUN > changes.patch',
  });
}

/** No other process may write to the run's journal meanwhile. The driver of a settled run only has to let it go. */
export async function refuseDriven(journal: Journal, run: RunId): Promise<void> {
  const info = await journal.run(run);
  if (info?.driven !== true || info.status === 'settled') return;
  throw runOpen(run);
}

/** The same for every command about the result of a run that goes on. */
export const runOpen = (run: RunId): Fault =>
  new Fault('RUN_OPEN', `Run ${run} is not over.`, {
    hint: `Wait for its end (troupe watch ${run}), or end it: troupe cancel ${run}`,
  });
