import { dirname } from 'node:path';
import { Fault } from '../core/model/fault.ts';
import type { TreeId } from '../core/model/ids.ts';
import { splitPath } from '../lib/confined-path.ts';
import type { InTurn } from '../lib/in-turn.ts';
import { isFolder } from './make-workspace.ts';
import type { OpenRequest, Workspace } from './port.ts';
import { runPlace, type WorkspacePlace, workspacePlace } from './run-place.ts';
import { MadePaths } from './setup/made-paths.ts';
import type { LeaveOut, TreeStore } from './store/port.ts';
import { existsSync } from 'node:fs';
import { orElse } from '../lib/or-else.ts';
import type { BytePath } from './byte-path.ts';
import { lookAtWorkspace, type Provided } from './overlay/overlays.ts';
import type { ResourceLease } from './resources/resources.ts';
import { runRules } from './run-rules.ts';

/** A workspace in use. Recording and restoring take turns, so a picture never shows a folder half restored. */
export function openWorkspace(parts: WorkspaceParts): Workspace {
  const { place, store, leaveOut, turns, view, beforeLooking, lease } = parts;
  const folder = view?.folder ?? place.folder;
  const isThere = (): Promise<boolean> => (view === null ? isFolder(folder) : view.isThere());
  const options = { index: place.index, leaveOut };
  const inTurn = <T>(action: () => Promise<T>): Promise<T> =>
    turns.run(place.folder, async () => {
      if (!(await isThere())) throw missing(place);
      await beforeLooking();
      return await action();
    });
  return {
    name: place.name,
    folder,
    ...(parts.found === null ? {} : { found: parts.found }),
    resources: lease.values,
    environment: { ...lease.environment, ...environmentOf(place) },
    folders: [
      ...[place.home, place.temporary, ...lease.folders].map((path) => ({ path, access: 'write' as const })),
      ...parts.borrowed.map((path) => ({ path, access: 'read' as const })),
    ],
    isThere,
    record: (changed) =>
      inTurn(async (): Promise<TreeId> => {
        const only = changed === undefined ? null : toPaths(changed);
        await parts.made.look(folder, only);
        const recorded = await store.record(folder, { ...options, ...(only === null ? {} : { only }) });
        return recorded.tree;
      }),
    restore: (tree) =>
      inTurn(async () => {
        await parts.made.look(folder);
        await parts.made.mind(store, tree);
        await store.restore(tree, folder, { ...options, durable: false });
      }),
  };
}

export interface WorkspaceParts extends Provided {
  readonly place: WorkspacePlace;
  readonly store: TreeStore;
  readonly leaveOut: LeaveOut;
  readonly made: MadePaths;
  readonly turns: InTurn;
  readonly lease: ResourceLease;
  /** Folders of the user's git objects. */
  readonly borrowed: readonly string[];
}

/** Null when one of them is no plain path: then everything is looked at. */
function toPaths(changed: readonly string[]): readonly BytePath[] | null {
  return orElse(() => changed.map((path) => Buffer.from(splitPath(path).join('/')).toString('latin1')), null);
}

function missing({ name, folder }: WorkspacePlace): Fault {
  return new Fault('WORKSPACE_MISSING', `The folder of the workspace "${name}" is gone: ${folder}.`, {
    hint: 'Resume the run: the workspace is then made again as it last was recorded.',
    facts: { name, folder },
  });
}

/** For commands in a workspace: nothing of the user's own settings, and no repository above the workspace. */
function environmentOf(place: WorkspacePlace): Readonly<Record<string, string>> {
  return {
    HOME: place.home,
    TMPDIR: place.temporary,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CEILING_DIRECTORIES: dirname(place.folder),
  };
}

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
