import type { RunId, TreeId } from '../../core/ids.ts';
import { treeOf, type RunFiles } from '../../host/deliver/find-files.ts';
import { workspacePlace } from '../../workspace/run-place.ts';
import type { TreeStore } from '../../workspace/store/port.ts';
import { treeOnDisk } from '../../workspace/tree-on-disk.ts';

export interface OnDisk {
  readonly home: string;
  readonly files: RunFiles;
  readonly workspace: string;
  readonly store: TreeStore;
}

/** What the folder of a run's workspace holds at this moment; null where there is none. */
export function runTreeOnDisk({ home, files, workspace, store }: OnDisk): Promise<TreeId | null> {
  const { root, project, began } = files;
  const tree = treeOf(files, workspace);
  return treeOnDisk(home, store, { root, name: workspace, project, tree, began: began.tree });
}

export const folderOfWorkspace = (home: string, root: RunId, workspace: string): string =>
  workspacePlace(home, root, workspace).folder;
