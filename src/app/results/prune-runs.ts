import { existsSync } from 'node:fs';
import type { RunId, TreeId } from '../../core/model/ids.ts';
import type { Journal, RunInfo } from '../../journal/port.ts';
import type { z } from 'zod';
import type { PROJECT } from '../../protocol/operations/project.ts';
import type { Workspaces } from '../../workspace/port.ts';
import { removeUnusedBases } from '../../workspace/overlay/bases.ts';
import type { TreeStore } from '../../workspace/store/port.ts';
import { runPlace } from '../../workspace/run-place.ts';
import { createWorkspaces } from '../../workspace/workspaces.ts';
import { clientHomes } from '../clients/client-home.ts';
import { runsBelow } from '../runs/tree-reader.ts';
import type { Store } from '../world/store.ts';
import { NO_RESULT, resultBranch } from '../../core/look/result-state.ts';
import { chmod, lstat, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Fact } from '../../core/record/fact.ts';

/** Every tree that the journals of a run and of all below it name. */
async function namedTrees(journal: Journal, root: RunId): Promise<ReadonlySet<TreeId>> {
  const trees = new Set<TreeId>();
  for (const { run } of await runsBelow(journal, root))
    for (const { fact } of await journal.read(run)) for (const tree of treesOf(fact)) trees.add(tree);
  return trees;
}

function treesOf(fact: Fact): readonly TreeId[] {
  switch (fact.kind) {
    case 'run.started':
      return fact.files === undefined ? [] : [fact.files.tree];
    case 'workspace.made':
      return [fact.tree];
    case 'files.changed':
      return [fact.tree, fact.base, ...(fact.open === undefined ? [] : [fact.open.base, fact.open.since])];
    case 'project.changed':
      return [fact.before, fact.after, ...(fact.tree === undefined ? [] : [fact.tree])];
    default:
      return [];
  }
}

/** Removes a folder of ours with all that agents left in it, and says how many bytes that were. */
async function removeFolder(folder: string): Promise<number> {
  const bytes = await spaceOf(Buffer.from(folder), true);
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  return bytes;
}

/** How much of the disk a folder takes up. */
const sizeOfFolder = (folder: string): Promise<number> => spaceOf(Buffer.from(folder), false);

/** A name need not be text. A folder that its owner may not enter is opened first where it is to go. */
async function spaceOf(path: Buffer, mayOpen: boolean): Promise<number> {
  const stats = await lstat(path).catch(() => null);
  if (stats === null) return 0;
  const own = stats.blocks * BLOCK_BYTES;
  if (!stats.isDirectory()) return own;
  if (mayOpen && (stats.mode & OPEN) !== OPEN) await chmod(path, OPEN);
  let bytes = own;
  for (const name of await readdir(path, { encoding: 'buffer' }).catch(() => [])) {
    bytes += await spaceOf(Buffer.concat([path, SLASH, name]), mayOpen);
  }
  return bytes;
}

const BLOCK_BYTES = 512;
const OPEN = 0o700;
const SLASH = Buffer.from('/');

interface PrunedCaches {
  readonly entries: number;
  readonly bytes: number;
}

/** Removes caches of setup commands and searches that were not used for long: they can be rebuilt. */
export async function pruneCaches(
  home: string,
  { now, isDry }: { readonly now: number; readonly isDry: boolean },
): Promise<PrunedCaches> {
  let [entries, bytes] = [0, 0];
  for (const cache of CACHES) {
    for (const name of await readdir(join(home, cache)).catch(() => [])) {
      const path = join(home, cache, name);
      if (now - (await usedAt(path)) < UNUSED_MS) continue;
      const freed = isDry ? await sizeOfFolder(path) : await removeUnused(path, now);
      if (freed === null) continue;
      entries += 1;
      bytes += freed;
    }
  }
  return { entries, bytes };
}

/** Below the engine's home. Each use of an entry updates its time. */
const CACHES = ['setup', 'knowledge'];
const UNUSED_MS = 30 * 86_400_000;

/** Renames it first, so that no process finds it half removed; null if another process came in between. */
async function removeUnused(path: string, now: number): Promise<number | null> {
  const away = `${path}.unused-${process.pid}`;
  try {
    await rename(path, away);
    if (now - (await usedAt(away)) >= UNUSED_MS) return await removeFolder(away);
    await rename(away, path);
  } catch {
    // Left for the next time.
  }
  return null;
}

/** One that is gone meanwhile needs no more care. */
async function usedAt(path: string): Promise<number> {
  return (await lstat(path).catch(() => null))?.mtimeMs ?? Infinity;
}

interface Retention {
  readonly olderThanMs: number;
  /** So many of the newest runs of each project keep their files. */
  readonly keep: number;
}

/**
 * The runs whose files go: settled long enough ago, and not among the newest of their project. Never one that is open, nor one
 * whose result is only in Troupe's own files and waits for a decision: delivering, discarding or archiving it comes first.
 */
export function runsToPrune(
  runs: readonly RunInfo[],
  { olderThanMs, keep }: Retention,
  now: number,
): readonly RunInfo[] {
  const byProject = Map.groupBy(runs, ({ project }) => project);
  return [...byProject.values()].flatMap((own) => {
    const newestFirst = own.toSorted((a, b) => b.at - a.at);
    return newestFirst
      .slice(keep)
      .filter((info) => isOver(info) && !isWaiting(info) && now - info.updatedAt >= olderThanMs);
  });
}

const isOver = ({ status, driven }: RunInfo): boolean => status === 'settled' && !driven;

/** A branch holds its result without these files. */
const isWaiting = ({ result = NO_RESULT, isArchived }: RunInfo): boolean =>
  isArchived !== true && (result.state === 'waiting' || result.state === 'refused') && resultBranch(result) === null;

type PruneWish = z.output<typeof PROJECT.prune.request>;

export interface Pruning {
  /** Runs whose workspaces were removed. */
  readonly runs: readonly { readonly run: string; readonly project: string; readonly bytes: number }[];
  /** Unneeded objects removed from the stores. */
  readonly snapshots: { readonly objects: number; readonly bytes: number };
  readonly caches: PrunedCaches;
}

/** Removes workspaces and snapshots by the rule of retention. Journals stay: what happened is always known. */
export async function pruneRuns(store: Store, { isDry, ...retention }: PruneWish): Promise<Pruning> {
  const now = Date.now();
  const all = await store.journal.runs({ parent: null });
  const pruned = runsToPrune(all, retention, now);
  const runs = [];
  for (const { run, project } of pruned) {
    // The homes of its clients go with its files: their sessions cannot continue any more.
    const folders = [runPlace(store.home, run).base, clientHomes(store.home, run)].filter(existsSync);
    let bytes = 0;
    for (const folder of folders) bytes += await (isDry ? sizeOfFolder : removeFolder)(folder);
    if (folders.length > 0) runs.push({ run, project, bytes });
  }
  if (!isDry) await removeUnusedBases(store.home, now);
  const snapshots = isDry ? { objects: 0, bytes: 0 } : await pruneStores(store, { all, pruned, retention });
  return { runs, snapshots, caches: await pruneCaches(store.home, { now, isDry }) };
}

async function pruneStores(store: Store, { all, pruned, retention }: StoredRuns): Promise<Pruning['snapshots']> {
  const gone = new Set(pruned);
  let [objects, bytes] = [0, 0];
  const workspaces = createWorkspaces({ home: store.home });
  try {
    for (const { trees, runs } of await byStore(workspaces, all)) {
      const keep = new Set<TreeId>();
      const kept = runs.filter((info) => !gone.has(info));
      for (const { run } of kept) for (const tree of await namedTrees(store.journal, run)) keep.add(tree);
      const freed = await trees.prune(keep, { olderThanMs: retention.olderThanMs });
      objects += freed.removedObjects;
      bytes += freed.freedBytes;
    }
    return { objects, bytes };
  } finally {
    await workspaces.close();
  }
}

interface StoredRuns {
  readonly all: readonly RunInfo[];
  readonly pruned: readonly RunInfo[];
  readonly retention: Retention;
}

/** A project may have several paths; its runs still keep their trees in one store. */
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
