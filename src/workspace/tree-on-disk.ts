import { existsSync } from 'node:fs';
import type { TreeId } from '../core/ids.ts';
import { lookAtWorkspace } from './overlay/look-at-workspace.ts';
import type { OpenRequest } from './port.ts';
import { runPlace, workspacePlace } from './run-place.ts';
import { runRules } from './run-rules.ts';
import { MadePaths } from './setup/made-paths.ts';
import type { TreeStore } from './store/port.ts';

/**
 * What the folder of a workspace holds at this moment, whatever put it there; null where there is none. A run that was ended
 * in the middle may have left there what no record names. The workspace is not opened and nothing in it is changed.
 */
export async function treeOnDisk(home: string, store: TreeStore, request: OpenRequest): Promise<TreeId | null> {
  const { root, name, project, tree, began = tree } = request;
  const run = runPlace(home, root);
  const place = workspacePlace(home, root, name);
  if (!existsSync(place.folder) || !existsSync(run.rules)) return null;
  const { leaveOut } = await runRules(run, { project, store, tree: began, ignored: 'skip' });
  const made = await MadePaths.of(place);
  const withMade = made.leaveOut(leaveOut);
  await made.mind(store, tree);
  return await lookAtWorkspace({ home, place }, async (folder) => {
    await made.look(folder);
    return (await store.record(folder, { index: place.index, leaveOut: withMade })).tree;
  });
}
