import type { TreeId } from '../../core/ids.ts';
import type { BytePath } from '../byte-path.ts';
import { folderOf } from '../byte-path.ts';
import type { TreeEntry, TreeStore } from '../store/port.ts';
import type { EntryMap } from './entry-map.ts';
import { allPaths, withAllFolders } from './entry-map.ts';
import { isSameEntry } from '../store/same-entry.ts';

/** What has to become of one path. */
export interface ApplyStep {
  readonly path: BytePath;
  readonly from: TreeEntry | null;
  readonly to: TreeEntry | null;
}

/** Every path at which two trees differ, folders included, a folder before what is in it. */
export async function applySteps(
  store: TreeStore,
  from: TreeId,
  to: TreeId,
): Promise<ReadonlyMap<BytePath, ApplyStep>> {
  const before = withAllFolders(await store.entries(from));
  const after = withAllFolders(await store.entries(to));
  const stepAt = (path: BytePath): ApplyStep => ({ path, from: before.get(path) ?? null, to: after.get(path) ?? null });
  const changed = allPaths(before, after)
    .map(stepAt)
    .filter((step) => !isSameEntry(step.from, step.to) && !isOnlyUnkept(step));
  const closed = closedFolders(changed, after).map(stepAt);
  const steps = [...changed, ...closed].sort((a, b) => (a.path < b.path ? -1 : 1));
  return new Map(steps.map((step) => [step.path, step]));
}

/** Something came or went whose content no tree holds: there is nothing to write, and nothing of it is ever removed. */
function isOnlyUnkept({ from, to }: ApplyStep): boolean {
  return (from ?? to)?.kind === 'unkept' && (to ?? from)?.kind === 'unkept';
}

/** Unchanged folders that have to be opened for writing for a while, and closed again. */
function closedFolders(changed: readonly ApplyStep[], after: EntryMap): readonly BytePath[] {
  const known = new Set(changed.map(({ path }) => path));
  const parents = new Set(changed.map(({ path }) => folderOf(path)));
  return [...parents].filter((path) => {
    const entry = after.get(path);
    return !known.has(path) && entry?.kind === 'folder' && isClosed(entry.mode);
  });
}

/** Its owner cannot change what is in it. */
export function isClosed(mode: number): boolean {
  return (mode & OPEN_BITS) !== OPEN_BITS;
}

export const OPEN_BITS = 0o700;
