import { existsSync } from 'node:fs';
import { isFault } from '../../core/model/fault.ts';
import { foldRecords } from '../../core/fold/fold.ts';
import { rootRunId, type RunId, type TreeId } from '../../core/model/ids.ts';
import { MAIN_WORKSPACE } from '../../core/model/workspace-name.ts';
import type { FolderView, RunView } from '../../protocol/run-view.ts';
import { readMark } from '../../workspace/overlay/bases.ts';
import { workspacePlace } from '../../workspace/run-place.ts';
import { createWorkspaces } from '../../workspace/workspaces.ts';
import { agentIn } from '../../host/deliver/named-result.ts';
import { changedWorkspaces, findFiles, treeOf, type RunFiles } from '../../host/deliver/find-files.ts';
import { appliedOf } from '../../core/history/applied-changes.ts';
import type { Store } from '../world/store.ts';

/** Where the workspaces of a run lie, and in what shape they are: a folder that is not there was not always never made. */
export async function workspaceFolders(store: Store, view: RunView): Promise<readonly FolderView[]> {
  const files = await filesOf(store, view.run as RunId);
  const made = [...(files?.workspaces.keys() ?? [])].filter((name) => view.workspaces?.[name]?.isGone !== true);
  const others = made.filter((name) => name !== MAIN_WORKSPACE).sort();
  const agents = await agentsIn(store, view, others);
  const keeps = keptTrees(store, view.project);
  try {
    const folders: FolderView[] = [];
    const waiting = files === null ? [] : await waitingOf(store, view, files);
    for (const workspace of [MAIN_WORKSPACE, ...others]) {
      const tree = files !== null && made.includes(workspace) ? treeOf(files, workspace) : null;
      const found = await folderOf(store.home, { run: view.run, workspace, tree }, keeps.where);
      const isWaiting = waiting.includes(workspace) ? ({ isWaiting: true } as const) : {};
      folders.push({ ...found, ...agents.get(workspace), ...isWaiting });
    }
    return folders;
  } finally {
    await keeps.close();
  }
}

/** The agents of each workspace of the run. */
async function agentsIn(
  { journal }: Store,
  { run }: RunView,
  workspaces: readonly string[],
): Promise<ReadonlyMap<string, Pick<FolderView, 'agent'>>> {
  const found = new Map<string, Pick<FolderView, 'agent'>>();
  if (workspaces.length === 0) return found;
  const snapshot = foldRecords(await journal.read(run as RunId));
  for (const workspace of workspaces) {
    const agent = await agentIn(journal, snapshot, workspace);
    if (agent !== null) found.set(workspace, { agent });
  }
  return found;
}

/** Workspaces without further work whose changes were neither merged nor delivered. */
async function waitingOf({ journal }: Store, view: RunView, files: RunFiles): Promise<readonly string[]> {
  if (view.status !== 'settled' || view.parent !== null) return [];
  const records = await journal.read(files.root);
  const isHanded = (name: string): boolean =>
    view.handed?.workspace === name && view.handed.tree === treeOf(files, name);
  return changedWorkspaces(files).filter((name) => !isHanded(name) && appliedOf(records, name) !== treeOf(files, name));
}

/** Null for a run that keeps no files, or whose journal is of a time before. */
async function filesOf({ journal }: Store, run: RunId): Promise<RunFiles | null> {
  try {
    return await findFiles(journal, run);
  } catch (error) {
    if (isFault(error) && error.code === 'FILES_NONE') return null;
    throw error;
  }
}

interface Asked {
  readonly run: string;
  readonly workspace: string;
  /** Its last tree; null if it was never made. */
  readonly tree: TreeId | null;
}

async function folderOf(
  home: string,
  { run, workspace, tree }: Asked,
  whereKept: KeptTrees['where'],
): Promise<FolderView> {
  const place = workspacePlace(home, rootRunId(run as RunId), workspace);
  const { folder } = place;
  if (existsSync(folder)) {
    const mark = await readMark(place);
    return { workspace, folder, state: 'there', ...(mark === null ? {} : { overlay: mark.base }) };
  }
  if (tree === null) return { workspace, folder, state: 'not-made' };
  return { workspace, folder, state: await whereKept(tree) };
}

interface KeptTrees {
  readonly where: (tree: TreeId) => Promise<'removed' | 'elsewhere' | 'pruned'>;
  readonly close: () => Promise<void>;
}

/** Opened only for a folder that is gone. */
function keptTrees({ home, files }: Store, project: string): KeptTrees {
  const workspaces = createWorkspaces({ home });
  return {
    where: async (tree) => {
      if (await (await workspaces.store(project)).has(tree)) return 'removed';
      const isShared = files !== undefined && (await files.missing([tree])).size === 0;
      return isShared ? 'elsewhere' : 'pruned';
    },
    close: () => workspaces.close(),
  };
}
