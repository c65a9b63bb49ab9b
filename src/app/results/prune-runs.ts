import { existsSync } from 'node:fs';
import type { TreeId } from '../../core/ids.ts';
import type { RunInfo } from '../../journal/port.ts';
import type { Workspaces } from '../../workspace/port.ts';
import { removeUnusedBases } from '../../workspace/overlay/remove-bases.ts';
import type { TreeStore } from '../../workspace/store/port.ts';
import { runPlace } from '../../workspace/run-place.ts';
import { clientHomes } from '../clients/client-home.ts';
import type { Store } from '../world/store.ts';
import { namedTrees } from './named-trees.ts';
import { pruneCaches, type PrunedCaches } from './prune-caches.ts';
import { runsToPrune, type Retention } from './prune-plan.ts';
import { removeFolder, sizeOfFolder } from './remove-folder.ts';

export interface PruneRequest {
  readonly store: Store;
  readonly workspaces: Workspaces;
  readonly retention: Retention;
  readonly isDry: boolean;
  readonly now: number;
}

export interface Pruning {
  /** Runs whose workspaces were removed. */
  readonly runs: readonly { readonly run: string; readonly project: string; readonly bytes: number }[];
  /** What no run needs any more, out of the stores. */
  readonly snapshots: { readonly objects: number; readonly bytes: number };
  readonly caches: PrunedCaches;
}

/** Removes workspaces and snapshots by the rule of retention. Journals stay: what happened is always known. */
export async function pruneRuns(request: PruneRequest): Promise<Pruning> {
  const { store, retention, now, isDry } = request;
  const all = await store.journal.runs({ parent: null });
  const pruned = runsToPrune(all, retention, now);
  const runs = [];
  for (const { run, project } of pruned) {
    // What its agents that are programs kept goes with its files: nobody can go on in it any more.
    const folders = [runPlace(store.home, run).base, clientHomes(store.home, run)].filter(existsSync);
    let bytes = 0;
    for (const folder of folders) bytes += await (isDry ? sizeOfFolder : removeFolder)(folder);
    if (folders.length > 0) runs.push({ run, project, bytes });
  }
  if (!isDry) await removeUnusedBases(store.home, now);
  const snapshots = isDry ? { objects: 0, bytes: 0 } : await pruneStores(request, all, new Set(pruned));
  return { runs, snapshots, caches: await pruneCaches(store.home, { now, isDry }) };
}

async function pruneStores(
  { store, workspaces, retention }: PruneRequest,
  all: readonly RunInfo[],
  pruned: ReadonlySet<RunInfo>,
): Promise<Pruning['snapshots']> {
  let [objects, bytes] = [0, 0];
  for (const { trees, runs } of await byStore(workspaces, all)) {
    const keep = new Set<TreeId>();
    const kept = runs.filter((info) => !pruned.has(info));
    for (const { run } of kept) for (const tree of await namedTrees(store.journal, run)) keep.add(tree);
    const freed = await trees.prune(keep, { olderThanMs: retention.olderThanMs });
    objects += freed.removedObjects;
    bytes += freed.freedBytes;
  }
  return { objects, bytes };
}

/** A project may be known by several paths; its runs keep their trees in one store all the same. */
async function byStore(workspaces: Workspaces, all: readonly RunInfo[]): Promise<readonly StoreOfRuns[]> {
  const found = new Map<string, StoreOfRuns>();
  for (const info of all) {
    const trees = await workspaces.store(info.project);
    const { runs } = found.get(trees.gitDir) ?? { runs: [] };
    found.set(trees.gitDir, { trees, runs: [...runs, info] });
  }
  return [...found.values()];
}

interface StoreOfRuns {
  readonly trees: TreeStore;
  readonly runs: readonly RunInfo[];
}
