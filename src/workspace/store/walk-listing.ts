import { errorCode, HeldFolder } from '../../lib/held-folder.ts';
import { PathRefused } from '../../lib/confined-path.ts';
import { type BytePath, nameIn, lastName, pathBelow } from '../byte-path.ts';
import { type EntryStamp, isTooDeep, stampOf, UNREADABLE_FOLDER } from './entry-stamp.ts';
import { isGitName } from './git-object.ts';
import type { FolderSize, LeaveOut } from './tree-types.ts';

/** An entry's stamp, a tab, `./`, its path: as find prints it. A folder stands before what is in it. */
export type ListedLine = string;

export function listingLine(stamp: EntryStamp, path: BytePath): ListedLine {
  return `${stamp}\t./${path}`;
}

export function splitLine(line: ListedLine): { readonly stamp: EntryStamp; readonly path: BytePath } {
  const tab = line.indexOf('\t');
  return { stamp: line.slice(0, tab), path: line.slice(tab + 3) };
}

/** Files that are too large to be kept do not count. */
export function listingSize(lines: readonly ListedLine[], maxFileBytes: number): FolderSize {
  const size = { files: 0, bytes: 0 };
  for (const line of lines) {
    if (line.startsWith('d') || line.startsWith(UNREADABLE_FOLDER)) continue;
    size.files += 1;
    const bytes = line.startsWith('f') ? Number(line.split(' ', 3)[2]) : null;
    if (bytes !== null) size.bytes += bytes > maxFileBytes ? 0 : bytes;
  }
  return size;
}

export interface ListingOptions {
  readonly leaveOut: LeaveOut;
  readonly signal?: AbortSignal | undefined;
}

/** Lists a folder by our own walk: for systems without GNU find and for folders that find stumbles over. */
export async function walkListing(folder: string, options: ListingOptions): Promise<readonly ListedLine[]> {
  const root = await HeldFolder.open(folder);
  const lines: ListedLine[] = [];
  try {
    await listBelow(root, '', { ...options, lines });
  } finally {
    await root.close();
  }
  return lines;
}

/** One entry and all below it; nothing when it is not there. */
export async function walkEntry(above: HeldFolder, path: BytePath, options: ListingOptions): Promise<ListedLine[]> {
  const lines: ListedLine[] = [];
  await listOne(above, path, { ...options, lines });
  return lines;
}

interface Walk extends ListingOptions {
  readonly lines: ListedLine[];
}

async function listBelow(folder: HeldFolder, path: BytePath, walk: Walk): Promise<void> {
  walk.signal?.throwIfAborted();
  for (const { name } of await folder.entries()) {
    const text = name.toString('latin1');
    await listOne(folder, pathBelow(path, text), walk);
  }
}

async function listOne(above: HeldFolder, path: BytePath, walk: Walk): Promise<void> {
  const name = lastName(path);
  const stats = above.lookNow(name);
  if (stats === null) return;
  const place = walk.lines.push(listingLine(stampOf(stats), path)) - 1;
  if (!stats.isDirectory() || !isEntered(path, walk)) return;
  const outcome = await enter(above, name, (folder) => listBelow(folder, path, walk));
  if (outcome === 'gone') walk.lines.length = place;
  if (outcome === 'closed') walk.lines.splice(place, Infinity, listingLine(UNREADABLE_FOLDER, path));
}

export function isEntered(path: BytePath, { leaveOut }: ListingOptions): boolean {
  return !isTooDeep(path) && !isGitName(nameIn(path)) && !leaveOut(path, true);
}

/** A folder that vanished or changed its kind since it was listed is not part of the tree. */
async function enter(
  above: HeldFolder,
  name: Buffer,
  use: (folder: HeldFolder) => Promise<void>,
): Promise<'listed' | 'gone' | 'closed'> {
  let folder: HeldFolder;
  try {
    folder = await above.child(name);
  } catch (error) {
    if (!(error instanceof PathRefused)) throw error;
    return error.reason === 'denied' ? 'closed' : 'gone';
  }
  try {
    await use(folder);
    return 'listed';
  } catch (error) {
    // May be opened but not searched.
    if (errorCode(error) === 'EACCES') return 'closed';
    throw error;
  } finally {
    await folder.close();
  }
}
