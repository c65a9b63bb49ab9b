import { PathRefused } from '../../lib/confined-path.ts';
import type { BytePath } from '../byte-path.ts';
import { folderOf } from '../byte-path.ts';
import { findListing, isPlainPath } from './find-listing.ts';
import type { LookedFolders } from './folder-look.ts';
import { isGitName } from './git-name.ts';
import { HeldPath } from './held-path.ts';
import type { ListingPlan } from './listing-plan.ts';
import { quickListing } from './quick-listing.ts';
import { listShallow, splitLine, walkListing } from './walk-listing.ts';
import type { ListedLine, ListingOptions } from './walk-listing.ts';

/** Everything in a folder, in the fastest way that lists all of it. What is left out may be in the list or not. */
export async function listEntries(folder: string, options: ListFolderOptions): Promise<readonly ListedLine[]> {
  const quick = isQuick(folder, options) ? await quickListing(folder, options) : null;
  if (quick !== null) return quick;
  const away = options.away.filter((path) => isPlainPath(path) && options.leaveOut(path, true)).slice(0, MAX_AWAY);
  const search = { away, signal: options.signal };
  return (
    (options.plan === null ? null : await searchByPlan(folder, options.plan, { ...options, away })) ??
    (await findListing(folder, { ...search, starts: [''] })) ??
    (await walkListing(folder, options))
  );
}

export interface ListFolderOptions extends ListingOptions {
  readonly plan: ListingPlan | null;
  /** How many entries there were the last time; 0 when that is not known. */
  readonly expected: number;
  /** Folders that were left out the last time, the largest first: they are not even looked into. */
  readonly away: readonly BytePath[];
  /** For a folder that is looked at again and again. */
  readonly looked?: LookedFolders | null;
}

/** Of a view by descriptor each look takes twice as long, but not for a program that stands in it. */
function isQuick(folder: string, { expected, looked }: ListFolderOptions): boolean {
  const isRemembered = (looked ?? null) !== null && !folder.startsWith('/proc/');
  return expected > 0 && expected < (isRemembered ? MANY_LOOKS : MANY_ENTRIES);
}

/** From here on a program is faster, for all the time it takes to start one. */
const MANY_ENTRIES = 1500;
/** Where nothing but looking is left to do: from here on several programs at once are faster. */
const MANY_LOOKS = 30_000;
/** Each is a comparison for every entry. */
const MAX_AWAY = 24;

/** Null when the folder has become another than the plan was made for. */
async function searchByPlan(
  folder: string,
  plan: ListingPlan,
  options: ListFolderOptions,
): Promise<readonly ListedLine[] | null> {
  const isIn = (path: BytePath): boolean => !isLeftOut(path, options);
  const [trunk, shares] = [plan.trunk.filter(isIn), plan.shares.map((share) => share.filter(isIn))];
  const search = { away: options.away, signal: options.signal };
  const searches = Promise.all(shares.map((starts) => findListing(folder, { ...search, starts })));
  // Meanwhile, and mostly a handful of entries.
  const [top, parts] = await Promise.all([listTrunk(folder, trunk), searches]);
  if (top === null) return null;
  const unplanned = foldersNotIn(top, new Set([...trunk, ...shares.flat()])).filter(isIn);
  if (!unplanned.every(isPlainPath)) return null;
  const added = await findListing(folder, { ...search, starts: unplanned });
  return joined([top, ...parts, added]);
}

async function listTrunk(folder: string, trunk: readonly BytePath[]): Promise<readonly ListedLine[] | null> {
  const held = await HeldPath.open(folder);
  try {
    const lines: ListedLine[] = [];
    for (const path of trunk) lines.push(...(await listShallow(await held.at(path), path)));
    return lines;
  } catch (error) {
    if (error instanceof PathRefused) return null;
    throw error;
  } finally {
    await held.close();
  }
}

function isLeftOut(path: BytePath, { leaveOut }: ListingOptions): boolean {
  for (let at = path; at !== ''; at = folderOf(at)) if (leaveOut(at, true)) return true;
  return false;
}

function foldersNotIn(lines: readonly ListedLine[], known: ReadonlySet<BytePath>): readonly BytePath[] {
  return lines.flatMap((line) => {
    if (!line.startsWith('d')) return [];
    const { path } = splitLine(line);
    return known.has(path) || isGitName(path.slice(path.lastIndexOf('/') + 1)) ? [] : [path];
  });
}

function joined(parts: readonly (readonly ListedLine[] | null)[]): readonly ListedLine[] | null {
  const whole: ListedLine[] = [];
  for (const part of parts) {
    if (part === null) return null;
    for (const line of part) whole.push(line);
  }
  return whole;
}
