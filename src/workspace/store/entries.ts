import { type BytePath, folderOf } from '../byte-path.ts';
import type { EntryMap, TreeEntry } from './tree-types.ts';

export function isSameEntry(a: TreeEntry | null, b: TreeEntry | null): boolean {
  if (a === null || b === null) return a === b;
  return a.kind === b.kind && modeOf(a) === modeOf(b) && blobOf(a) === blobOf(b) && whyOf(a) === whyOf(b);
}

export function modeOf(entry: TreeEntry): number | null {
  return entry.kind === 'file' || entry.kind === 'folder' ? entry.mode : null;
}

export function blobOf(entry: TreeEntry): string | null {
  return entry.kind === 'file' || entry.kind === 'link' ? entry.blob : null;
}

function whyOf(entry: TreeEntry): string | null {
  return entry.kind === 'unkept' ? entry.why : null;
}

/** The part of an entry that git keeps: files, links, and the owner's execute bit; empty for all else. */
export function gitSees(entry: TreeEntry | null): string {
  if (entry?.kind === 'file') return `${(entry.mode & 0o100) === 0 ? 'file' : 'program'} ${entry.blob}`;
  return entry?.kind === 'link' ? `link ${entry.blob}` : '';
}

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
