import { unreachable } from '../../core/fault.ts';
import { treeId } from '../../core/ids.ts';
import type { TreeId } from '../../core/ids.ts';
import type { BytePath } from '../byte-path.ts';
import { folderOf } from '../byte-path.ts';
import { encodeTree } from './git-object.ts';
import type { TreeItem } from './git-object.ts';
import type { ObjectBatch } from './object-store.ts';
import type { TreeEntry } from './port.ts';

/** Git's trees for the folders whose content changed, and for all above them; the others stay as they were. */
export function buildTrees(source: TreeSource, batch: ObjectBatch): ReadonlyMap<BytePath, string> {
  const trees = new Map(source.trees);
  const dirty = withFoldersAbove(source.dirty);
  const content = new Map<BytePath, [BytePath, TreeEntry][]>([...dirty].map((path) => [path, []]));
  source.eachEntry((path, folder, entry) => content.get(folder)?.push([path, entry]));
  // Backwards by path, what is in a folder comes before the folder.
  for (const folder of [...dirty].sort().reverse()) {
    const items = (content.get(folder) ?? []).flatMap(([path, entry]) => itemOf(path, entry, trees));
    if (items.length === 0 && folder !== '') trees.delete(folder);
    else trees.set(folder, batch.put('tree', encodeTree(items)));
  }
  return trees;
}

export interface TreeSource {
  /** Of the folders that have files in or below them. */
  readonly trees: ReadonlyMap<BytePath, string>;
  /** Folders in which an entry was added, removed or changed. */
  readonly dirty: Iterable<BytePath>;
  readonly eachEntry: (visit: (path: BytePath, folder: BytePath, entry: TreeEntry) => void) => void;
}

function withFoldersAbove(folders: Iterable<BytePath>): Set<BytePath> {
  const all = new Set<BytePath>(['']);
  for (const folder of folders) {
    for (let path = folder; path !== '' && !all.has(path); path = folderOf(path)) all.add(path);
  }
  return all;
}

function itemOf(path: BytePath, entry: TreeEntry, trees: ReadonlyMap<BytePath, string>): readonly TreeItem[] {
  const name = path.slice(path.lastIndexOf('/') + 1);
  switch (entry.kind) {
    case 'file':
      return [{ mode: (entry.mode & 0o100) === 0 ? '100644' : '100755', name, id: entry.blob }];
    case 'link':
      return [{ mode: '120000', name, id: entry.blob }];
    case 'folder': {
      const id = trees.get(path);
      return id === undefined ? [] : [{ mode: '40000', name, id }];
    }
    case 'unkept':
      return [];
    default:
      return unreachable(entry);
  }
}

/** The one tree that names them all: the files, and beside them what git's trees cannot say. */
export function joinTree(parts: TreeParts, batch: ObjectBatch): TreeId {
  const items: readonly TreeItem[] = [
    { mode: '40000', name: FILES, id: parts.files },
    { mode: '100644', name: MANIFEST, id: parts.manifest },
  ];
  return treeId(batch.put('tree', encodeTree(items)));
}

export interface TreeParts {
  readonly files: string;
  readonly manifest: string;
}

export function splitTree(items: readonly TreeItem[]): TreeParts | null {
  const [files, manifest] = [FILES, MANIFEST].map((wanted) => items.find(({ name }) => name === wanted)?.id);
  return files === undefined || manifest === undefined ? null : { files, manifest };
}

const FILES = 'files';
const MANIFEST = 'manifest';
