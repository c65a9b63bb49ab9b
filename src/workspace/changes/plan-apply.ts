import type { TreeId } from '../../core/model/ids.ts';
import { type BytePath, folderOf, isWithin, staysInside } from '../byte-path.ts';
import type { EntryMap, TreeChange, TreeEntry, TreeStore } from '../store/port.ts';
import { type Conflict, type ConflictKind, type ConflictSide, newRepositories, toConflict } from './conflict.ts';
import { type MergedTrees, mergeTrees } from './merge-trees.ts';
import { PLAIN_FOLDER, withoutPlainFolders } from '../store/entries.ts';

/**
 * Finds what bringing a run's files to the user would change: three-way, against the project as it is at this moment. Nothing
 * is written to it. A plan is carried out with `applyTrees` from `ours` to `tree`.
 */
export async function planApply(store: TreeStore, options: PlanOptions): Promise<ApplyPlan> {
  const ours = await options.recordProject();
  const merged = await mergeTrees(store, {
    base: options.base,
    ours,
    theirs: options.theirs,
    labels: { base: 'before the run', ours: 'your files', theirs: 'the run' },
  });
  const { tree, open, settled } = await settle(store, merged, { ours, ...options });
  const conflicts = [...open, ...(await repositoryConflicts(store, ours, tree))];
  const { leftOut, renames } = merged;
  const also = { ours, tree, leftOut, renames, settled };
  if (conflicts.length > 0) return { kind: 'conflict', conflicts, ...also };
  const changes = await store.compare(ours, tree);
  return { kind: 'plan', changes, cautions: await linksThatLeadOut(store, changes), ...also };
}

export interface PlanOptions {
  /** What the run began with. */
  readonly base: TreeId;
  /** What the run made of it. */
  readonly theirs: TreeId;
  /** Records the user's project now, by the rules it was recorded with when the run began. */
  readonly recordProject: () => Promise<TreeId>;
  /** Whose version counts where both changed the same; null if undecided. */
  readonly choose?: (path: BytePath) => 'ours' | 'theirs' | null;
}

export type ApplyPlan =
  | ({
      readonly kind: 'plan';
      /** What will be different in the project; none when it has everything already. */
      readonly changes: readonly TreeChange[];
      readonly cautions: readonly Caution[];
    } & PlanTrees)
  | ({ readonly kind: 'conflict'; readonly conflicts: readonly Conflict[] } & PlanTrees);

/** `ours`: the project as it is. `tree`: as it would be; with conflicts a tree to work on, not to apply. */
type PlanTrees = Pick<MergedTrees, 'tree' | 'leftOut' | 'renames'> & {
  readonly ours: TreeId;
  /** Conflicts that were settled by choosing a side. */
  readonly settled: readonly Conflict[];
};

/** Worth a look before saying yes. */
export interface Caution {
  readonly path: BytePath;
  readonly why: 'link-leads-out';
}

function conflictsOf(merged: MergedTrees): readonly Conflict[] {
  return merged.kind === 'conflict' ? merged.conflicts : [];
}

interface Settled {
  readonly tree: TreeId;
  readonly open: readonly Conflict[];
  readonly settled: readonly Conflict[];
}

async function settle(
  store: TreeStore,
  merged: MergedTrees,
  { ours, theirs, choose = () => null }: Pick<PlanOptions, 'theirs' | 'choose'> & { readonly ours: TreeId },
): Promise<Settled> {
  const conflicts = conflictsOf(merged);
  const taken = conflicts.flatMap((conflict) => {
    const side = canChoose(conflict) ? choose(conflict.path) : null;
    const { path, kind } = conflict;
    return side === null ? [] : [{ conflict, path, kind, side: conflict[side], from: { ours, theirs }[side] }];
  });
  const settled = new Set(taken.map(({ conflict }) => conflict));
  return {
    tree: await takeSide(store, merged.tree, taken),
    open: conflicts.filter((conflict) => !settled.has(conflict)),
    settled: [...settled],
  };
}

/** Content that no tree holds cannot be written, no matter which side counts. */
export const canChoose = ({ kind }: Pick<Conflict, 'kind'>): boolean => kind !== 'unkept' && kind !== 'repository';

async function repositoryConflicts(store: TreeStore, ours: TreeId, tree: TreeId): Promise<readonly Conflict[]> {
  const [before, after] = await Promise.all([store.entries(ours), store.entries(tree)]);
  const asConflict = (folder: BytePath) => {
    const path = folder === '' ? 'HEAD' : `${folder}/HEAD`;
    const three = { base: null, ours: before.get(path) ?? null, theirs: after.get(path) ?? null };
    return toConflict(path, { kind: 'repository', three }, store);
  };
  return Promise.all(newRepositories(before, after).map(asConflict));
}

async function linksThatLeadOut(store: TreeStore, changes: readonly TreeChange[]): Promise<readonly Caution[]> {
  const links = changes.flatMap(({ path, after }) => (after?.kind === 'link' ? [{ path, blob: after.blob }] : []));
  const targets = await Promise.all(links.map(async ({ blob }) => (await store.read(blob)).toString('latin1')));
  return links
    .filter(({ path }, at) => !staysInside(path, targets[at] ?? ''))
    .map(({ path }) => ({ path, why: 'link-leads-out' }));
}

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
