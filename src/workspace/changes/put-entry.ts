import { createHash } from 'node:crypto';
import { constants, existsSync, linkSync, renameSync, rmdirSync, symlinkSync, unlinkSync } from 'node:fs';
import { chmod, mkdir, open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { errorCode } from '../../lib/held-folder.ts';
import type { HeldFolder } from '../../lib/held-folder.ts';
import type { TreeEntry } from '../store/port.ts';
import { piecesOf, writePieces } from '../store/write-pieces.ts';
import type { ReadableBlobs } from '../store/write-pieces.ts';
import { isStill } from './path-state.ts';
import type { PathState } from './path-state.ts';

/**
 * Puts a file or link where `seen` was found, whole or not at all. False when something else stands there by now, which then
 * stays. What is there is replaced, never written into, so that a second name of it (a hard link) keeps the old content.
 */
export async function putEntry(place: EntryPlace, entry: LeafEntry, store: ReadableBlobs): Promise<boolean> {
  const { folder, name, seen } = place;
  const partial = partialName(name);
  removeIfThere(folder, partial);
  try {
    if (entry.kind === 'link') symlinkSync(await store.read(entry.blob), folder.at(partial));
    else await writePieces(folder.at(partial), piecesOf(store, entry.blob), { mode: entry.mode, durable: true });
    if (seen.entry === null) return putNew(folder, partial, name);
    if (!isStill(folder, name, seen)) return false;
    renameSync(folder.at(partial), folder.at(name));
    return true;
  } finally {
    removeIfThere(folder, partial);
  }
}

export interface EntryPlace {
  readonly folder: HeldFolder;
  readonly name: Buffer;
  readonly seen: PathState;
}

export type LeafEntry = Extract<TreeEntry, { kind: 'file' | 'link' }>;

/** False when something else stands there by now. */
export function removeLeaf({ folder, name, seen }: EntryPlace): boolean {
  if (!isStill(folder, name, seen)) return false;
  unlinkSync(folder.at(name));
  return true;
}

/** False when something is still in it. */
export function removeEmptyFolder(folder: HeldFolder, name: Buffer): boolean {
  try {
    rmdirSync(folder.at(name));
    return true;
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT') return true;
    if (code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'ENOTDIR') return false;
    throw error;
  }
}

/** With its mode at once, whatever the process's own mask says: a folder found with another mode is then nobody's but the user's. */
export async function makeOwnFolder(
  folder: HeldFolder,
  name: Buffer,
  mode: number,
): Promise<'made' | 'found' | 'taken'> {
  try {
    await mkdir(folder.at(name), mode);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    return folder.lookNow(name)?.isDirectory() === true ? 'found' : 'taken';
  }
  await setFolderMode(folder, name, mode);
  return 'made';
}

/** False when it is no folder any more. Through a descriptor, since a link could take its place meanwhile. */
export async function setFolderMode(folder: HeldFolder, name: Buffer, mode: number): Promise<boolean> {
  try {
    await chmodHeld(folder.at(name), mode & 0o777);
    return true;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(errorCode(error))) return false;
    throw error;
  }
}

async function chmodHeld(path: Buffer, mode: number): Promise<void> {
  const flags = constants.O_DIRECTORY | constants.O_NOFOLLOW;
  try {
    await withOpen(path, constants.O_RDONLY | flags, (handle) => handle.chmod(mode));
  } catch (error) {
    if (errorCode(error) !== 'EACCES' || !existsSync('/proc/self/fd')) throw error;
    // Its owner may not even list it; Linux can hold it without opening it.
    await withOpen(path, LINUX_O_PATH | flags, (handle) => chmod(`/proc/self/fd/${handle.fd}`, mode));
  }
}

async function withOpen(path: Buffer, flags: number, use: (handle: FileHandle) => Promise<void>): Promise<void> {
  const handle = await open(path, flags);
  try {
    await use(handle);
  } finally {
    await handle.close();
  }
}

const LINUX_O_PATH = 0o10000000;

/** The same for the same file each time, so that what a dying process left is cleared away by the next. */
export function partialName(name: Buffer): Buffer {
  return Buffer.from(`.troupe-${createHash('sha256').update(name).digest('hex').slice(0, 16)}.partial~`);
}

export function removeIfThere(folder: HeldFolder, name: Buffer): void {
  try {
    unlinkSync(folder.at(name));
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}

/** A second name for the partial file fails where the name is taken, which a rename would not. */
function putNew(folder: HeldFolder, partial: Buffer, name: Buffer): boolean {
  try {
    linkSync(folder.at(partial), folder.at(name));
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    if (!NO_HARD_LINKS.has(errorCode(error))) throw error;
    if (folder.lookNow(name) !== null) return false;
    renameSync(folder.at(partial), folder.at(name));
    return true;
  }
}

const NO_HARD_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'ENOSYS']);
