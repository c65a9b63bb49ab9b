import type { TreeId } from '../../core/ids.ts';
import type { BytePath } from '../byte-path.ts';
import { folderOf } from '../byte-path.ts';
import type { TreeEntry, TreeStore } from '../store/port.ts';
import type { ConflictSide } from './conflict.ts';
import type { EntryMap } from './entry-map.ts';

/**
 * Settles conflicts in a tree by one side: each path becomes what that side has there, a folder with all that is in it. The
 * side is given with the path, since a file may have another name in the tree it comes from.
 */
export async function takeSide(store: TreeStore, tree: TreeId, taken: readonly TakenSide[]): Promise<TreeId> {
  if (taken.length === 0) return tree;
  const entries = new Map(await store.entries(tree));
  for (const one of taken) take(entries, one, await store.entries(one.from));
  return store.write(entries);
}

export interface TakenSide {
  readonly path: BytePath;
  readonly side: Pick<ConflictSide, 'kind' | 'mode' | 'blob'> | null;
  /** Where the content of a folder is to be had. */
  readonly from: TreeId;
}

function take(entries: Map<BytePath, TreeEntry>, { path, side }: TakenSide, from: EntryMap): void {
  for (const one of entries.keys()) if (isWithin(one, path)) entries.delete(one);
  if (side === null) return;
  for (let above = folderOf(path); above !== ''; above = folderOf(above)) {
    if (entries.get(above)?.kind !== 'folder') entries.delete(above);
  }
  const entry = entryOf(side);
  if (entry !== null) entries.set(path, entry);
  else for (const [one, found] of from) if (isWithin(one, path)) entries.set(one, found);
}

/** Null for what only its tree can tell. */
function entryOf({ kind, mode, blob }: NonNullable<TakenSide['side']>): TreeEntry | null {
  if (kind === 'file' && blob !== null) return { kind, mode: mode ?? 0o644, blob };
  return kind === 'link' && blob !== null ? { kind, blob } : null;
}

/** The path itself, or something in it. */
export const isWithin = (path: BytePath, folder: BytePath): boolean => path === folder || path.startsWith(`${folder}/`);
