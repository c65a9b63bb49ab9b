import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { treeId } from '../../core/ids.ts';
import type { TreeId } from '../../core/ids.ts';
import { foldersAbove } from '../ignore/frozen-rules.ts';
import type { LeaveOut, TreeChange, TreeStore } from '../store/port.ts';

/**
 * What a new workspace is to lie upon: the tree itself if it is there already, else one that is there and differs little, so
 * that a file changed between two runs does not cost a folder with all the others. The difference is written on top.
 */
export async function chooseBase(choice: BaseChoice): Promise<TreeId> {
  const { tree, began } = choice;
  const there = await basesIn(choice.bases);
  if (there.includes(tree)) return tree;
  for (const candidate of new Set([...there.slice(0, MAX_TRIED), began])) {
    if (candidate !== tree && (await isNear(candidate, choice))) return candidate;
  }
  return tree;
}

export interface BaseChoice {
  readonly bases: string;
  readonly tree: TreeId;
  /** What the run began with; its other workspaces lie upon it, too. */
  readonly began: TreeId;
  readonly store: TreeStore;
  readonly leaveOut: LeaveOut;
}

const MAX_TRIED = 3;
/** Below this, writing the difference is certain to be faster than a folder with everything. */
const MAX_CHANGES = 200;

/** The one used last first. */
async function basesIn(bases: string): Promise<readonly TreeId[]> {
  const names = (await readdir(bases).catch(() => [])).filter((name) => /^[0-9a-f]+$/.test(name));
  const used = await Promise.all(names.map(async (name) => (await stat(join(bases, name)).catch(() => null))?.mtimeMs));
  return names
    .map((name, at) => ({ name, usedMs: used[at] ?? 0 }))
    .sort((a, b) => b.usedMs - a.usedMs)
    .map(({ name }) => treeId(name));
}

async function isNear(base: TreeId, { tree, store, leaveOut }: BaseChoice): Promise<boolean> {
  if (!(await store.has(base))) return false;
  const changes = await store.compare(base, tree);
  return changes.length <= MAX_CHANGES && changes.every((change) => isSeen(change, leaveOut));
}

/** What is left out is never touched: if the base had such a file and the tree had not, it would stay. */
function isSeen({ path, before, after }: TreeChange, leaveOut: LeaveOut): boolean {
  const isFolder = (before ?? after)?.kind === 'folder';
  return !leaveOut(path, isFolder) && foldersAbove(path).every((folder) => !leaveOut(folder, true));
}
