import type { TreeId } from '../../core/model/ids.ts';
import type { BytePath } from '../byte-path.ts';
import type { EntryMap, TreeEntry, TreeStore } from '../store/port.ts';
import type { Conflict, Three } from './conflict.ts';
import { type LeftOut, mergeEntries } from './merge-entries.ts';
import { isSameEntry } from '../store/entries.ts';
import { storeGit } from '../git.ts';
import { withoutLarge } from './diff-trees.ts';

/**
 * Merges two versions of one tree: bytes, modes, links and empty folders by the same rule, independent of git settings,
 * attributes and merge programs. A conflict is a result: both sides, and a tree with conflict marks to work on.
 */
export async function mergeTrees(store: TreeStore, options: MergeOptions): Promise<MergedTrees> {
  const { renames, ...sides } = await followRenames(store, options);
  const { entries, conflicts, leftOut } = await mergeEntries({ ...sides, labels: options.labels ?? SIDES }, store);
  const tree = await store.write(entries);
  const also = { tree, leftOut, renames };
  return conflicts.length === 0 ? { kind: 'clean', ...also } : { kind: 'conflict', conflicts, ...also };
}

export interface MergeOptions extends Three<TreeId> {
  /** How the sides are called in the marks. */
  readonly labels?: Three<string>;
}

const SIDES: Three<string> = { base: 'before', ours: 'ours', theirs: 'theirs' };

export type MergedTrees =
  | ({ readonly kind: 'clean' } & MergedTree)
  /** The tree then is for handing back to an author, not for applying. */
  | ({ readonly kind: 'conflict'; readonly conflicts: readonly Conflict[] } & MergedTree);

interface MergedTree {
  readonly tree: TreeId;
  readonly leftOut: readonly LeftOut[];
  /** Files whose changes were merged under the new name that the other side gave them. */
  readonly renames: readonly Rename[];
}

/**
 * A file that one side renamed and the other changed is one file. The other side and the beginning are seen as if it had
 * had its new name there too, so that the change is merged where the file now is.
 */
async function followRenames(store: TreeStore, trees: Three<TreeId>): Promise<FollowedRenames> {
  const entries = async (tree: TreeId) => new Map(await store.entries(tree));
  const maps = {
    base: await entries(trees.base),
    ours: await entries(trees.ours),
    theirs: await entries(trees.theirs),
  };
  const inOurs = await renamesIn(store, trees, { maps, side: 'ours', other: 'theirs' });
  const inTheirs = await renamesIn(store, trees, { maps, side: 'theirs', other: 'ours' });
  for (const rename of inOurs) follow(rename, [maps.base, maps.theirs]);
  for (const rename of inTheirs) follow(rename, [maps.base, maps.ours]);
  return { ...maps, renames: [...inOurs, ...inTheirs] };
}

interface FollowedRenames extends Three<EntryMap> {
  readonly renames: readonly Rename[];
}

export interface Rename {
  readonly from: BytePath;
  readonly to: BytePath;
}

interface RenamingSide {
  readonly maps: Three<EntryMap>;
  readonly side: 'ours' | 'theirs';
  readonly other: 'ours' | 'theirs';
}

async function renamesIn(
  store: TreeStore,
  trees: Three<TreeId>,
  { maps, side, other }: RenamingSide,
): Promise<readonly Rename[]> {
  const isWanted = (path: BytePath): boolean => {
    const [before, changed] = [maps.base.get(path), maps[other].get(path)];
    if (before?.kind !== 'file' || changed?.kind !== 'file' || maps[side].has(path)) return false;
    return !isSameEntry(before, changed);
  };
  // Looking for renames reads many files; most merges need none.
  if (![...maps.base.keys()].some(isWanted)) return [];
  const found = await listRenames(store, trees.base, trees[side]);
  return found.filter(({ from, to }) => isWanted(from) && !maps.base.has(to) && !maps[other].has(to));
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
