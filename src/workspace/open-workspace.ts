import { dirname } from 'node:path';
import { Fault } from '../core/fault.ts';
import type { TreeId } from '../core/ids.ts';
import { splitPath } from '../lib/confined-path.ts';
import type { BytePath } from './byte-path.ts';
import type { InTurn } from './in-turn.ts';
import { isFolder } from './make-workspace.ts';
import type { MountedView } from './overlay/mount-view.ts';
import type { SeenFolder, Workspace } from './port.ts';
import type { WorkspacePlace } from './run-place.ts';
import type { MadePaths } from './setup/made-paths.ts';
import type { LeaveOut, TreeStore } from './store/port.ts';

/** A workspace in use. Recording and restoring take turns, so a picture never shows a folder half restored. */
export function openWorkspace(parts: WorkspaceParts): Workspace {
  const { place, store, leaveOut, turns, view, beforeLooking } = parts;
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
    resources: parts.resources,
    environment: parts.environment,
    folders: parts.folders,
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

export interface WorkspaceParts extends Pick<Workspace, 'environment' | 'folders'> {
  readonly place: WorkspacePlace;
  readonly store: TreeStore;
  readonly leaveOut: LeaveOut;
  readonly made: MadePaths;
  readonly turns: InTurn;
  readonly found: TreeId | null;
  /** How its files are reached where it is an overlay. */
  readonly view: MountedView | null;
  readonly beforeLooking: () => Promise<void>;
  readonly resources: Readonly<Record<string, string>>;
}

/** Null when one of them is no plain path: then everything is looked at. */
function toPaths(changed: readonly string[]): readonly BytePath[] | null {
  try {
    return changed.map((path) => Buffer.from(splitPath(path).join('/')).toString('latin1'));
  } catch {
    return null;
  }
}

function missing({ name, folder }: WorkspacePlace): Fault {
  return new Fault('WORKSPACE_MISSING', `The folder of the workspace "${name}" is gone: ${folder}.`, {
    hint: 'Resume the run: the workspace is then made again as it last was recorded.',
    facts: { name, folder },
  });
}

/** For commands in a workspace: nothing of the user's own settings, and no repository above the workspace. */
export function environmentOf(place: WorkspacePlace): Readonly<Record<string, string>> {
  return {
    HOME: place.home,
    TMPDIR: place.temporary,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CEILING_DIRECTORIES: dirname(place.folder),
  };
}

export function foldersOf(place: WorkspacePlace, more: FurtherFolders): readonly SeenFolder[] {
  const write = [place.home, place.temporary, ...more.write].map((path) => ({ path, access: 'write' as const }));
  const read = more.read.map((path) => ({ path, access: 'read' as const }));
  return [...write, ...read];
}

export interface FurtherFolders {
  readonly write: readonly string[];
  readonly read: readonly string[];
}
