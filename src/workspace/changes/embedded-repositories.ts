import type { BytePath } from '../byte-path.ts';
import { folderOf } from '../byte-path.ts';
import type { EntryMap } from './entry-map.ts';

/**
 * Folders that git would take for a repository although they are not called `.git`: a file `HEAD` beside `objects` and `refs`.
 * Whoever enters one and calls git obeys its settings, which can name programs to run. Only those that were not there before.
 */
export function newRepositories(before: EntryMap, after: EntryMap): readonly BytePath[] {
  const known = new Set(repositories(before));
  return repositories(after).filter((path) => !known.has(path));
}

function repositories(entries: EntryMap): readonly BytePath[] {
  const heads = [...entries].filter(
    ([path, { kind }]) => isNamed(path, 'head') && (kind === 'file' || kind === 'link'),
  );
  if (heads.length === 0) return [];
  const folders = foldersOf(entries);
  const holds = (folder: BytePath, name: string): boolean => folders.has(lower(joined(folder, name)));
  const found = heads.map(([path]) => folderOf(path));
  return found.filter((folder) => holds(folder, 'objects') && (holds(folder, 'refs') || holds(folder, 'reftable')));
}

/** Every path with something below it or that can be a folder; without case, as on the disks of some systems. */
function foldersOf(entries: EntryMap): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const [path, { kind }] of entries) {
    // A link may lead to a folder.
    if (kind === 'folder' || kind === 'link') folders.add(lower(path));
    for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) folders.add(lower(folder));
  }
  return folders;
}

function isNamed(path: BytePath, name: string): boolean {
  return lower(path.slice(path.lastIndexOf('/') + 1)) === name;
}

const lower = (path: BytePath): string => path.toLowerCase();
const joined = (folder: BytePath, name: string): BytePath => (folder === '' ? name : `${folder}/${name}`);
