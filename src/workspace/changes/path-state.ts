import { createHash } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import type { BigIntStats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { PathRefused } from '../../lib/confined-path.ts';
import { openHeldFile } from '../../lib/held-file.ts';
import { errorCode } from '../../lib/held-folder.ts';
import type { HeldFolder } from '../../lib/held-folder.ts';
import { stampOf } from '../store/entry-stamp.ts';
import type { EntryStamp } from '../store/entry-stamp.ts';
import { objectHeader, objectId } from '../store/git-object.ts';
import type { TreeEntry } from '../store/port.ts';

/** What is on the disk under one name, said as a tree would say it. No link is followed, nothing special is opened. */
export async function pathState(folder: HeldFolder, name: Buffer, options: StateOptions = {}): Promise<PathState> {
  const stats = folder.lookNow(name);
  if (stats === null) return ABSENT;
  const stamp = stampOf(stats);
  if (stats.isDirectory()) return { entry: { kind: 'folder', mode: permissions(stats) }, stamp };
  if (stats.isSymbolicLink()) return linkState(folder, name, stamp);
  if (!stats.isFile()) return { entry: { kind: 'unkept', why: 'special' }, stamp };
  if (await isTooLarge(stats.size, options)) return { entry: { kind: 'unkept', why: 'too-large' }, stamp };
  const blob = await fileBlob(folder, name);
  if (blob === null) return { entry: { kind: 'unkept', why: 'unreadable' }, stamp };
  return { entry: { kind: 'file', mode: permissions(stats), blob }, stamp };
}

export interface PathState {
  readonly entry: TreeEntry | null;
  /** Differs as soon as the entry may have changed. */
  readonly stamp: EntryStamp | null;
}

export interface StateOptions {
  /** Asked before a large file is read: above this size it cannot be what is looked for. */
  readonly largest?: () => Promise<number>;
}

export const ABSENT: PathState = { entry: null, stamp: null };

/** The last look before something is changed: at once, so that nearly no time is left for others to come between. */
export function isStill(folder: HeldFolder, name: Buffer, state: PathState): boolean {
  const stats = folder.lookNow(name);
  return (stats === null ? null : stampOf(stats)) === state.stamp;
}

async function isTooLarge(size: bigint, { largest }: StateOptions): Promise<boolean> {
  return largest !== undefined && size > ALWAYS_READ_BYTES && size > BigInt(await largest());
}

const ALWAYS_READ_BYTES = 16 * 1024 * 1024;

function permissions(stats: BigIntStats): number {
  return Number(stats.mode) & 0o777;
}

function linkState(folder: HeldFolder, name: Buffer, stamp: EntryStamp): PathState {
  try {
    const target = readlinkSync(folder.at(name), { encoding: 'buffer' });
    return { entry: { kind: 'link', blob: objectId('blob', target) }, stamp };
  } catch (error) {
    // No link any more: whatever it is, it is not what was expected.
    if (errorCode(error) === 'EINVAL' || errorCode(error) === 'ENOENT') return MOVING;
    throw error;
  }
}

const MOVING: PathState = { entry: { kind: 'unkept', why: 'unreadable' }, stamp: 'moving' };

/** Null when it may not be read, or is no file any more. */
async function fileBlob(folder: HeldFolder, name: Buffer): Promise<string | null> {
  let file: FileHandle;
  try {
    file = await openHeldFile(folder, name);
  } catch (error) {
    if (error instanceof PathRefused) return null;
    throw error;
  }
  try {
    return await hashOpen(file);
  } finally {
    await file.close();
  }
}

async function hashOpen(file: FileHandle): Promise<string> {
  const { size } = await file.stat();
  const hash = createHash('sha1').update(objectHeader('blob', size));
  const buffer = Buffer.allocUnsafe(Math.min(Math.max(size, 1), CHUNK_BYTES));
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, null);
    if (bytesRead === 0) return hash.digest('hex');
    hash.update(buffer.subarray(0, bytesRead));
  }
}

const CHUNK_BYTES = 256 * 1024;
