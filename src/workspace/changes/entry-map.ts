import type { BytePath } from '../byte-path.ts';
import { folderOf } from '../byte-path.ts';
import type { TreeEntry } from '../store/port.ts';
import { isSameEntry } from '../store/same-entry.ts';

/** What is at each path. A store names only the folders that are empty or have a mode of their own. */
export type EntryMap = ReadonlyMap<BytePath, TreeEntry>;

/** With every folder named, so that a folder's coming, going and turning into a file is seen like that of a file. */
export function withAllFolders(entries: EntryMap): EntryMap {
  const all = new Map(entries);
  for (const path of entries.keys()) {
    for (let folder = folderOf(path); folder !== '' && !all.has(folder); folder = folderOf(folder)) {
      all.set(folder, PLAIN_FOLDER);
    }
  }
  return all;
}

/** The other way: folders that say nothing which the files in them do not say are left out. */
export function withoutPlainFolders(entries: EntryMap): EntryMap {
  const filled = new Set([...entries.keys()].map(folderOf));
  return new Map([...entries].filter(([path, entry]) => !(isSameEntry(entry, PLAIN_FOLDER) && filled.has(path))));
}

export const PLAIN_FOLDER: TreeEntry = { kind: 'folder', mode: 0o755 };

/** Paths at which any of the maps has something, in the order of their bytes: a folder comes before what is in it. */
export function allPaths(...maps: readonly EntryMap[]): readonly BytePath[] {
  return [...new Set(maps.flatMap((map) => [...map.keys()]))].sort();
}
