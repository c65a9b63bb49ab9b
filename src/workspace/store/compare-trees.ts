import type { TreeId } from '../../core/ids.ts';
import type { BytePath } from '../byte-path.ts';
import type { TreeItem } from './git-object.ts';
import type { ObjectStore } from './object-store.ts';
import type { TreeChange, TreeEntry } from './port.ts';
import type { OpenTree } from './read-tree.ts';
import { leafOf, modeFor, openTree, readEntries } from './read-tree.ts';
import { isSameEntry } from './same-entry.ts';

/** What differs between two trees. Equal folders are not gone into as long as nothing but content changed. */
export function compareTrees(objects: ObjectStore, before: TreeId, after: TreeId): readonly TreeChange[] {
  if (before === after) return [];
  const [old, now] = [openTree(objects, before), openTree(objects, after)];
  const contents = old.manifestId === now.manifestId ? contentChanges(objects, old, now) : null;
  const changes = contents ?? entryChanges(readEntries(objects, before), readEntries(objects, after));
  return [...changes].sort((a, b) => (a.path < b.path ? -1 : 1));
}

function* entryChanges(
  before: ReadonlyMap<BytePath, TreeEntry>,
  after: ReadonlyMap<BytePath, TreeEntry>,
): Generator<TreeChange> {
  for (const [path, entry] of before) {
    const now = after.get(path) ?? null;
    if (!isSameEntry(entry, now)) yield { path, before: entry, after: now };
  }
  for (const [path, entry] of after) if (!before.has(path)) yield { path, before: null, after: entry };
}

/**
 * With one manifest for both, and the same folders, only files and links can differ, and their modes are the manifest's.
 * Null where a folder came or went: then everything has to be looked at.
 */
function contentChanges(objects: ObjectStore, old: OpenTree, now: OpenTree): readonly TreeChange[] | null {
  const entryOf = (path: BytePath, item: TreeItem | undefined): TreeEntry | null =>
    item === undefined ? null : leafOf(item.mode, item.id, modeFor(old.manifest, path, item.mode));
  const changes: TreeChange[] = [];
  const folders: [string, string, BytePath][] = [[old.files, now.files, '']];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    const [before, after, above] = next;
    for (const [name, [was, is]] of differing(objects, before, after)) {
      const path = above === '' ? name : `${above}/${name}`;
      const [wasTree, isTree] = [treeOf(was), treeOf(is)];
      if (wasTree !== null && isTree !== null) folders.push([wasTree, isTree, path]);
      else if (wasTree !== null || isTree !== null) return null;
      else changes.push({ path, before: entryOf(path, was), after: entryOf(path, is) });
    }
  }
  return changes;
}

function treeOf(item: TreeItem | undefined): string | null {
  return item?.mode === '40000' ? item.id : null;
}

type Pair = [TreeItem | undefined, TreeItem | undefined];

function differing(objects: ObjectStore, before: string, after: string): readonly (readonly [string, Pair])[] {
  const pairs = new Map<string, Pair>();
  for (const item of objects.readTree(before)) pairs.set(item.name, [item, undefined]);
  for (const item of objects.readTree(after)) pairs.set(item.name, [pairs.get(item.name)?.[0], item]);
  return [...pairs].filter(([, [was, is]]) => was?.id !== is?.id || was?.mode !== is?.mode);
}
