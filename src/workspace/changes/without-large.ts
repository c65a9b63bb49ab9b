import type { TreeId } from '../../core/ids.ts';
import type { TreeChange, TreeEntry, TreeStore } from '../store/port.ts';
import type { TreePair } from './diff-trees.ts';

/**
 * Two trees without the files that changed between them and are too large for git to compare: it would hold them whole, and
 * print them whole into a patch.
 */
export async function withoutLarge(
  store: TreeStore,
  trees: TreePair,
  changes: readonly TreeChange[],
): Promise<ComparableTrees> {
  const large: TreeChange[] = [];
  for (const change of changes) if (await isLarge(store, change)) large.push(change);
  if (large.length === 0) return { trees, large };
  const reduced = async (tree: TreeId): Promise<TreeId> => {
    const entries = new Map(await store.entries(tree));
    for (const { path } of large) entries.delete(path);
    return store.write(entries);
  };
  return { trees: { before: await reduced(trees.before), after: await reduced(trees.after) }, large };
}

export interface ComparableTrees {
  readonly trees: TreePair;
  readonly large: readonly TreeChange[];
}

async function isLarge(store: TreeStore, { before, after }: TreeChange): Promise<boolean> {
  return (await sizeOf(store, before)) > MAX_PATCHED_BYTES || (await sizeOf(store, after)) > MAX_PATCHED_BYTES;
}

async function sizeOf(store: TreeStore, entry: TreeEntry | null): Promise<number> {
  return entry?.kind === 'file' ? store.sizeOf(entry.blob) : 0;
}

const MAX_PATCHED_BYTES = 32 * 1024 * 1024;
