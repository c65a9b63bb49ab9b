import { PathRefused } from '../../lib/confined-path.ts';
import type { HeldFolder } from '../../lib/held-folder.ts';
import type { BytePath } from '../byte-path.ts';
import { folderOf } from '../byte-path.ts';
import { NO_LISTING } from './folder-state.ts';
import type { FolderState, SeenEntry } from './folder-state.ts';
import { HeldPath } from './held-path.ts';
import { reconcile } from './reconcile.ts';
import type { Reconciled, ReconcileOptions } from './reconcile.ts';
import { walkEntry } from './walk-listing.ts';
import type { ListedLine, ListingOptions } from './walk-listing.ts';

/** Looks at the given paths and all below them; the rest is taken from memory. */
export async function listOnly(folder: string, state: FolderState, options: ListOnlyOptions): Promise<Reconciled> {
  const places = await affectedPlaces(folder, options.only, state.entries);
  const lines = await listPlaces(folder, places, options);
  const found = reconcile(lines, { ...options, known: knownAt(state.entries, places), listing: NO_LISTING });
  return { ...found, away: state.away, listing: { lines: [], paths: [] } };
}

export type ListOnlyOptions = ListingOptions &
  Omit<ReconcileOptions, 'known' | 'listing'> & { readonly only: readonly BytePath[] };

/**
 * The topmost place on the way to each path that is another than it was: a folder that came or went with the path counts
 * as changed itself. What is left out stays unlooked at, as `reconcile` sees to.
 */
async function affectedPlaces(
  folder: string,
  only: readonly BytePath[],
  known: ReadonlyMap<BytePath, SeenEntry>,
): Promise<readonly BytePath[]> {
  const held = await HeldPath.open(folder);
  const places = new Set<BytePath>();
  try {
    for (const path of [...only].sort()) places.add(await topmostChange(held, path, known));
  } finally {
    await held.close();
  }
  return [...places].filter((path) => !foldersAbove(path).some((above) => places.has(above)));
}

async function topmostChange(
  held: HeldPath,
  path: BytePath,
  known: ReadonlyMap<BytePath, SeenEntry>,
): Promise<BytePath> {
  for (const above of foldersAbove(path)) {
    const wasFolder = known.get(above)?.entry.kind === 'folder';
    if (!wasFolder || (await heldOrNull(held, above)) === null) return above;
  }
  return path;
}

/** From the top. */
function foldersAbove(path: BytePath): readonly BytePath[] {
  const above: BytePath[] = [];
  for (let at = folderOf(path); at !== ''; at = folderOf(at)) above.unshift(at);
  return above;
}

async function heldOrNull(held: HeldPath, path: BytePath): Promise<HeldFolder | null> {
  try {
    return await held.at(path);
  } catch (error) {
    if (error instanceof PathRefused) return null;
    throw error;
  }
}

function knownAt(
  entries: ReadonlyMap<BytePath, SeenEntry>,
  places: readonly BytePath[],
): ReadonlyMap<BytePath, SeenEntry> {
  const exact = new Set(places);
  const isAt = (path: BytePath): boolean => exact.has(path) || foldersAbove(path).some((above) => exact.has(above));
  return new Map([...entries].filter(([path]) => isAt(path)));
}

async function listPlaces(
  folder: string,
  places: readonly BytePath[],
  options: ListingOptions,
): Promise<readonly ListedLine[]> {
  const held = await HeldPath.open(folder);
  try {
    const lines: ListedLine[] = [];
    for (const path of [...places].sort()) {
      if (foldersAbove(path).some((above) => options.leaveOut(above, true))) continue;
      const above = await heldOrNull(held, folderOf(path));
      if (above !== null) lines.push(...(await walkEntry(above, path, options)));
    }
    return lines;
  } finally {
    await held.close();
  }
}
