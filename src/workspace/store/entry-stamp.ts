import type { BigIntStats } from 'node:fs';

/**
 * Changes whenever an entry may have changed: kind, mode, size, inode and change time, which nothing outside the kernel can
 * set back. Written as `find -printf '%y %m %s %i %C@'` does, so that both ways of listing a folder agree. A folder's stamp
 * is its mode alone, since what is in it is listed anyway.
 */
export type EntryStamp = string;

export const FIND_FORMAT = '%y %m %s %i %C@';
export const FIND_FOLDER_FORMAT = '%y %m';

export function stampOf(stats: BigIntStats): EntryStamp {
  const kind = kindLetter(stats);
  const mode = Number(stats.mode) & 0o7777;
  if (kind === 'd') return folderStamp(mode);
  const changed = stats.ctimeNs.toString().padStart(10, '0');
  return `${kind} ${mode.toString(8)} ${stats.size} ${stats.ino} ${changed.slice(0, -9)}.${changed.slice(-9)}0`;
}

export function folderStamp(mode: number): EntryStamp {
  return `d ${mode.toString(8)}`;
}

function kindLetter(stats: BigIntStats): string {
  if (stats.isFile()) return 'f';
  if (stats.isDirectory()) return 'd';
  return stats.isSymbolicLink() ? 'l' : 's';
}

/** A folder that may not be listed: only our own walk tells that. */
export const UNREADABLE_FOLDER: EntryStamp = 'unreadable';

export interface StampParts {
  readonly kind: 'file' | 'folder' | 'link' | 'special';
  /** With the bits for set-user-id and the like. */
  readonly mode: number;
  readonly size: number;
  readonly changedMs: number;
  /** The disk seems to count whole seconds only. */
  readonly isCoarse: boolean;
}

export function stampParts(stamp: EntryStamp): StampParts {
  const [kind = '', mode = '0', size = '0', , changed = '0'] = stamp.split(' ');
  const changedSeconds = Number(changed);
  return {
    kind: KINDS[kind] ?? 'special',
    mode: Number.parseInt(mode, 8),
    size: Number(size),
    changedMs: changedSeconds * 1000,
    isCoarse: Number.isInteger(changedSeconds),
  };
}

const KINDS: Readonly<Record<string, StampParts['kind']>> = { f: 'file', d: 'folder', l: 'link' };

/**
 * An entry changed so shortly before it was looked at that a second change would leave the same time on it: its stamp
 * proves nothing the next time.
 */
export function isSettled(
  { changedMs, isCoarse }: Pick<StampParts, 'changedMs' | 'isCoarse'>,
  lookedAtMs: number,
): boolean {
  return changedMs < lookedAtMs - (isCoarse ? COARSE_MS : CLOCK_MS);
}

/** Above the kernel's tick, which is ten milliseconds at most. */
const CLOCK_MS = 20;
const COARSE_MS = 2100;

/** Deeper folders are not gone into: each level is held open while it is worked on. */
export function isTooDeep(path: string): boolean {
  return path.length >= 2 * MAX_DEPTH && path.split('/').length > MAX_DEPTH;
}

const MAX_DEPTH = 200;
