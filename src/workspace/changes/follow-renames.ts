import type { BytePath } from '../byte-path.ts';
import type { TreeId } from '../../core/ids.ts';
import type { TreeEntry, TreeStore } from '../store/port.ts';
import type { EntryMap } from './entry-map.ts';
import { isSameEntry } from '../store/same-entry.ts';
import { storeGit } from './store-git.ts';
import { withoutLarge } from './without-large.ts';

/**
 * A file that one side renamed and the other changed is one file. The other side and the beginning are seen as if it had
 * had its new name there too, so that the change is merged where the file now is.
 */
export async function followRenames(store: TreeStore, trees: ThreeTrees): Promise<FollowedRenames> {
  const [base, ours, theirs] = await Promise.all(
    [trees.base, trees.ours, trees.theirs].map(async (tree) => new Map(await store.entries(tree))),
  );
  const maps = { base: base ?? new Map(), ours: ours ?? new Map(), theirs: theirs ?? new Map() };
  const inOurs = await renamesIn(store, trees.ours, {
    base: trees.base,
    maps,
    renaming: maps.ours,
    other: maps.theirs,
  });
  const inTheirs = await renamesIn(store, trees.theirs, {
    base: trees.base,
    maps,
    renaming: maps.theirs,
    other: maps.ours,
  });
  for (const rename of inOurs) follow(rename, [maps.base, maps.theirs]);
  for (const rename of inTheirs) follow(rename, [maps.base, maps.ours]);
  return { ...maps, renames: [...inOurs, ...inTheirs] };
}

export interface ThreeTrees {
  readonly base: TreeId;
  readonly ours: TreeId;
  readonly theirs: TreeId;
}

export interface FollowedRenames {
  readonly base: EntryMap;
  readonly ours: EntryMap;
  readonly theirs: EntryMap;
  readonly renames: readonly Rename[];
}

export interface Rename {
  readonly from: BytePath;
  readonly to: BytePath;
}

interface Look {
  readonly base: TreeId;
  readonly maps: { readonly base: EntryMap };
  readonly renaming: EntryMap;
  readonly other: EntryMap;
}

async function renamesIn(store: TreeStore, tree: TreeId, look: Look): Promise<readonly Rename[]> {
  const isWanted = (path: BytePath): boolean => {
    const before = look.maps.base.get(path);
    const other = look.other.get(path);
    if (before?.kind !== 'file' || other?.kind !== 'file' || look.renaming.has(path)) return false;
    return !isSameEntry(before, other);
  };
  // Looking for renames reads many files; most merges need none.
  if (![...look.maps.base.keys()].some(isWanted)) return [];
  const found = await listRenames(store, look.base, tree);
  return found.filter(({ from, to }) => isWanted(from) && !look.maps.base.has(to) && !look.other.has(to));
}

async function listRenames(store: TreeStore, before: TreeId, after: TreeId): Promise<readonly Rename[]> {
  const words = ['diff-tree', '-r', '-z', '-M', '--diff-filter=R', '--name-status', '--no-ext-diff', '--no-textconv'];
  const { trees } = await withoutLarge(store, { before, after }, await store.compare(before, after));
  const sides = [`${trees.before}:files`, `${trees.after}:files`];
  const output = await storeGit(store, [...words, '--end-of-options', ...sides]);
  const fields = output.toString('latin1').split('\0');
  const renames: Rename[] = [];
  for (let at = 0; at + 2 < fields.length; at += 3) {
    renames.push({ from: fields[at + 1] ?? '', to: fields[at + 2] ?? '' });
  }
  return renames;
}

function follow({ from, to }: Rename, maps: readonly Map<BytePath, TreeEntry>[]): void {
  for (const map of maps) {
    const entry = map.get(from);
    if (entry === undefined) continue;
    map.delete(from);
    map.set(to, entry);
  }
}
