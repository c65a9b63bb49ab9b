import type { TreeId } from '../../core/ids.ts';
import type { BytePath } from '../byte-path.ts';
import { folderOf } from '../byte-path.ts';
import { folderStamp, isSettled, stampParts } from './entry-stamp.ts';
import { emptyState } from './folder-state.ts';
import type { FolderState, SeenEntry } from './folder-state.ts';
import type { ObjectStore } from './object-store.ts';
import type { TreeEntry, Written } from './port.ts';
import { openTree } from './read-tree.ts';

/** What a record would remember of a folder into which a tree was just written. */
export function writtenState(objects: ObjectStore, { tree, whole }: KnownTree, written: WrittenWhen): FolderState {
  const entries = new Map<BytePath, SeenEntry>();
  for (const [path, entry] of whole) {
    const seen = seenOf(path, entry, written);
    if (seen !== null) entries.set(path, seen);
  }
  const { files, manifestId } = openTree(objects, tree);
  return {
    ...emptyState(written.generation),
    entries,
    trees: treesIn(objects, files),
    // It tells of things that are not there.
    manifest: entries.size === whole.size ? manifestId : null,
  };
}

export interface KnownTree {
  readonly tree: TreeId;
  /** Every folder included. */
  readonly whole: ReadonlyMap<BytePath, TreeEntry>;
}

export type WrittenWhen = Written & { readonly generation: string };

function seenOf(path: BytePath, entry: TreeEntry, { stamps, aloneUntilMs }: Written): SeenEntry | null {
  const stamp = entry.kind === 'folder' ? folderStamp(entry.mode) : stamps.get(path);
  if (stamp === undefined) return null;
  const settled = entry.kind === 'folder' || isSettled(stampParts(stamp), aloneUntilMs);
  return { stamp, folder: folderOf(path), entry, isSettled: settled, hasSpecialBits: false };
}

function treesIn(objects: ObjectStore, files: string): Map<BytePath, string> {
  const trees = new Map<BytePath, string>();
  const visit = (id: string, path: BytePath): void => {
    trees.set(path, id);
    for (const { mode, name, id: below } of objects.readTree(id)) {
      if (mode === '40000') visit(below, path === '' ? name : `${path}/${name}`);
    }
  };
  visit(files, '');
  return trees;
}
