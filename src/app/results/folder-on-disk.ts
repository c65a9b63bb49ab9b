import { existsSync } from 'node:fs';
import type { RunId, TreeId } from '../../core/ids.ts';
import { lookAtWorkspace } from '../../workspace/overlay/look-at-workspace.ts';
import { runPlace, workspacePlace } from '../../workspace/run-place.ts';
import { runRules } from '../../workspace/run-rules.ts';
import { MadePaths } from '../../workspace/setup/made-paths.ts';
import type { TreeStore } from '../../workspace/store/port.ts';
import { treeOf, type RunFiles } from '../../host/deliver/find-files.ts';

export interface OnDisk {
  readonly home: string;
  readonly files: RunFiles;
  readonly workspace: string;
  readonly store: TreeStore;
}

/**
 * What the folder of a workspace holds at this moment, whoever put it there; null where there is none. A run that was ended
 * in the middle may have left there what no record names. Only looked at: nothing is put back.
 */
export async function treeOnDisk({ home, files, workspace, store }: OnDisk): Promise<TreeId | null> {
  const run = runPlace(home, files.root);
  const place = workspacePlace(home, files.root, workspace);
  if (!existsSync(place.folder) || !existsSync(run.rules)) return null;
  const { leaveOut } = await runRules(run, { project: files.project, store, tree: files.began.tree, ignored: 'skip' });
  const made = await MadePaths.of(place);
  const withMade = made.leaveOut(leaveOut);
  await made.mind(store, treeOf(files, workspace));
  return await lookAtWorkspace({ home, place }, async (folder) => {
    await made.look(folder);
    return (await store.record(folder, { index: place.index, leaveOut: withMade })).tree;
  });
}

export const folderOfWorkspace = (home: string, root: RunId, workspace: string): string =>
  workspacePlace(home, root, workspace).folder;
