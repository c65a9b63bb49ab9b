import type { OpenConflict, OpenConflicts } from '../../../core/record/files-fact.ts';
import type { TreeId } from '../../../core/model/ids.ts';
import type { WorkspaceFiles } from '../../../core/fold/snapshot.ts';
import { isWithin } from '../../../workspace/byte-path.ts';
import { hasMarks, toConflict, type Conflict, type ConflictKind } from '../../../workspace/changes/conflict.ts';
import { allPaths, isSameEntry, modeOf, withAllFolders } from '../../../workspace/store/entries.ts';
import type { EntryMap, TreeEntry, TreeStore } from '../../../workspace/store/port.ts';

/**
 * Conflicts without markers: the author's workspace holds the author's version, and nothing in it shows the other one. They
 * are kept until the author changes the path, or says whose version counts.
 */
export function openConflicts(
  conflicts: readonly Conflict[],
  trees: Pick<OpenConflicts, 'base' | 'since'>,
): OpenConflicts | null {
  const paths = conflicts
    .filter(({ kind }) => !hasMarks(kind))
    .map(({ path, kind, ours }): OpenConflict => ({ path, kind, other: ours === null ? null : bare(ours) }));
  return paths.length === 0 ? null : { ...trees, paths };
}

const bare = ({ kind, mode, blob }: NonNullable<Conflict['ours']>): OpenConflict['other'] => ({ kind, mode, blob });

/** The conflicts at whose path the workspace still holds what the merge put there. */
export async function stillOpen(store: TreeStore, { tree, open }: WorkspaceFiles): Promise<readonly OpenConflict[]> {
  if (open === undefined) return [];
  const [then, now] = await Promise.all([store.entries(open.since), store.entries(tree)]);
  return open.paths.filter(({ path, kind }) =>
    kind === 'mode' ? modeAt(path, then) === modeAt(path, now) : isUnchanged(path, then, now),
  );
}

/** Changes inside a folder do not affect the folder's mode. */
function modeAt(path: string, entries: EntryMap): number | null {
  const entry = withAllFolders(new Map([...entries].filter(([one]) => isWithin(one, path)))).get(path);
  return entry === undefined ? null : modeOf(entry);
}

function isUnchanged(path: string, then: EntryMap, now: EntryMap): boolean {
  const inside = allPaths(then, now).filter((one) => isWithin(one, path));
  return inside.every((one) => isSameEntry(then.get(one) ?? null, now.get(one) ?? null));
}

/** As they are reported: with both sides. */
export async function asConflicts(
  store: TreeStore,
  tree: TreeId,
  { open, still }: { readonly open: OpenConflicts; readonly still: readonly OpenConflict[] },
): Promise<readonly Conflict[]> {
  const [began, now] = await Promise.all([store.entries(open.base), store.entries(tree)]);
  return Promise.all(
    still.map(({ path, kind, other }) => {
      const three = { base: began.get(path) ?? null, ours: other as TreeEntry | null, theirs: now.get(path) ?? null };
      return toConflict(path, { kind: kind as ConflictKind, three }, store);
    }),
  );
}
