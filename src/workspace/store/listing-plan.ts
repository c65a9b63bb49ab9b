import { availableParallelism } from 'node:os';
import type { BytePath } from '../byte-path.ts';
import { folderOf } from '../byte-path.ts';
import { isPlainPath } from './find-listing.ts';

/**
 * How a folder is listed by several searches at once: `trunk` folders one by one without what is below them, and the
 * folders in them shared out so that each search has about the same to do. Made from what was there the last time.
 */
export interface ListingPlan {
  readonly trunk: readonly BytePath[];
  readonly shares: readonly (readonly BytePath[])[];
}

/** Null where one search is as good. */
export function planListing(folders: ReadonlyMap<BytePath, number>): ListingPlan | null {
  const weights = weighFolders(folders);
  const total = weights.get('') ?? 0;
  if (total < MIN_ENTRIES) return null;
  const below = foldersIn(folders.keys());
  const trunk: BytePath[] = [];
  const whole: BytePath[] = [];
  const open = (path: BytePath): void => {
    const children = below.get(path) ?? [];
    const isLarge = (weights.get(path) ?? 0) > total / PIECES && children.length > 0;
    if (path !== '' && !(isLarge && trunk.length < MAX_TRUNK && children.every(isPlainPath))) whole.push(path);
    else {
      trunk.push(path);
      for (const child of children) open(child);
    }
  };
  open('');
  if (!whole.every(isPlainPath)) return null;
  return { trunk, shares: shareOut(whole, weights) };
}

const MIN_ENTRIES = 2000;
const PIECES = 16;
const MAX_TRUNK = 64;
const SEARCHES = Math.min(4, Math.max(2, availableParallelism()));

/** How many entries stand in a folder and all below it. */
function weighFolders(folders: ReadonlyMap<BytePath, number>): Map<BytePath, number> {
  const weights = new Map<BytePath, number>();
  for (const [folder, entries] of folders) {
    for (let path = folder; ; path = folderOf(path)) {
      weights.set(path, (weights.get(path) ?? 0) + entries);
      if (path === '') break;
    }
  }
  return weights;
}

function foldersIn(paths: Iterable<BytePath>): Map<BytePath, BytePath[]> {
  const below = new Map<BytePath, BytePath[]>();
  for (const path of paths) {
    if (path === '') continue;
    const above = folderOf(path);
    const siblings = below.get(above);
    if (siblings === undefined) below.set(above, [path]);
    else siblings.push(path);
  }
  return below;
}

/** The heaviest first, each to whoever has least. */
function shareOut(paths: readonly BytePath[], weights: ReadonlyMap<BytePath, number>): BytePath[][] {
  const shares = Array.from({ length: SEARCHES }, () => ({ weight: 0, paths: [] as BytePath[] }));
  const weightOf = (path: BytePath): number => weights.get(path) ?? 0;
  for (const path of [...paths].sort((a, b) => weightOf(b) - weightOf(a))) {
    const least = shares.reduce((best, share) => (share.weight < best.weight ? share : best));
    least.paths.push(path);
    least.weight += weightOf(path) + 1;
  }
  return shares.map((share) => share.paths).filter((share) => share.length > 0);
}
