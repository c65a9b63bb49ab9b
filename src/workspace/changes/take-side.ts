import type { TreeId } from '../../core/ids.ts';
import type { BytePath } from '../byte-path.ts';
import { folderOf, isWithin } from '../byte-path.ts';
import type { TreeEntry, TreeStore } from '../store/port.ts';
import type { ConflictKind, ConflictSide } from './conflict.ts';
import type { EntryMap } from './entry-map.ts';
import { PLAIN_FOLDER, withoutPlainFolders } from './entry-map.ts';

/**
 * Settles conflicts in a tree by one side: each path becomes what that side has there, a folder with all that is in it. Where
 * only the mode is in conflict only the mode does: all else is merged already. The side is given with the path, since a file
 * may have another name in the tree it comes from.
 */
export async function takeSide(store: TreeStore, tree: TreeId, taken: readonly TakenSide[]): Promise<TreeId> {
  if (taken.length === 0) return tree;
  const entries = new Map(await store.entries(tree));
  for (const one of taken) {
    if (one.kind === 'mode') takeMode(entries, one);
    else takeWhole(entries, one, await store.entries(one.from));
  }
  return store.write(withoutPlainFolders(entries));
}

export interface TakenSide {
  readonly path: BytePath;
  /** Of the conflict. */
  readonly kind: ConflictKind;
  readonly side: Pick<ConflictSide, 'kind' | 'mode' | 'blob'> | null;
  /** Where the content of a folder is to be had. */
  readonly from: TreeId;
}

function takeMode(entries: Map<BytePath, TreeEntry>, { path, side }: TakenSide): void {
  const entry = entries.get(path) ?? folderAround(entries, path);
  const isThere = entry?.kind === 'file' || entry?.kind === 'folder';
  if (isThere && side !== null && side.mode !== null) entries.set(path, { ...entry, mode: side.mode });
}

/** A folder with nothing to say of itself is known by what is in it. */
function folderAround(entries: EntryMap, path: BytePath): TreeEntry | null {
  return [...entries.keys()].some((one) => isWithin(one, path)) ? PLAIN_FOLDER : null;
}

function takeWhole(entries: Map<BytePath, TreeEntry>, { path, side }: TakenSide, from: EntryMap): void {
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
