import { Fault } from '../../core/model/fault.ts';
import { runId, treeId } from '../../core/model/ids.ts';
import { MAIN_WORKSPACE } from '../../core/model/workspace-name.ts';
import { fromWritten } from '../../workspace/byte-path.ts';
import type { EntryMap, TreeEntry } from '../../workspace/store/port.ts';
import { createWorkspaces } from '../../workspace/workspaces.ts';
import { changedPathText } from '../../host/deliver/change-view.ts';
import { findFiles, treeOf, type RunFiles } from '../../host/deliver/find-files.ts';
import { requireTrees } from '../../host/deliver/kept-trees.ts';
import type { Store } from '../world/store.ts';

export interface FilePlace {
  readonly workspace: string;
  /** As it is written or, where it can be printed nowhere, as it is shown. */
  readonly path: string;
  /** As it was at this record of the run. */
  readonly at?: number;
  /** In this tree, whatever the workspace holds. */
  readonly tree?: string;
}

const MOST_BYTES = 16 * 1024 * 1024;

/** A file of a workspace of a run, as the journal says it was. WORKSPACE_UNKNOWN, FILES_PRUNED, FILE_LARGE. */
export async function fileAt(
  { home, journal, files: shared }: Store,
  run: string,
  { workspace, path, at, tree: named }: FilePlace,
): Promise<Uint8Array | null> {
  const files = await findFiles(journal, runId(run), at ?? null);
  requireWorkspace(files, workspace);
  const workspaces = createWorkspaces({ home, shared });
  try {
    const store = await workspaces.store(files.project);
    const tree = named === undefined ? treeOf(files, workspace) : treeId(named);
    await requireTrees(store, files.root, [tree]);
    const entry = entryAt(await store.entries(tree), path);
    if (entry?.kind !== 'file') return null;
    if ((await store.sizeOf(entry.blob)) > MOST_BYTES) throw tooLarge(path);
    return await store.read(entry.blob);
  } finally {
    await workspaces.close();
  }
}

/** A name that holds what cannot be printed is known by the words that lists have for it. */
function entryAt(entries: EntryMap, path: string): TreeEntry | undefined {
  const found = entries.get(fromWritten(path));
  if (found !== undefined || !path.startsWith('"')) return found;
  const own = [...entries.keys()].find((one) => changedPathText(one) === path);
  return own === undefined ? undefined : entries.get(own);
}

function requireWorkspace({ workspaces, root }: RunFiles, name: string): void {
  if (name === MAIN_WORKSPACE || workspaces.has(name)) return;
  throw new Fault('WORKSPACE_UNKNOWN', `Run ${root} has no workspace "${name}" then.`, {
    hint: `It has: ${[MAIN_WORKSPACE, ...workspaces.keys()].join(', ')}.`,
  });
}

const tooLarge = (path: string): Fault =>
  new Fault('FILE_LARGE', `"${path}" is too large to be shown.`, {
    hint: 'It lies in the folder of the workspace; see: troupe show RUN',
  });
