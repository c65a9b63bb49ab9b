import { codeEntry } from '../../core/codes/codes.ts';
import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { Fault, isFault } from '../../core/model/fault.ts';
import { errorCode } from '../../lib/held-folder.ts';

/** Turns a disk error while recording or restoring into a fault that a person can act on. */
export function storeFault(error: unknown, place: string): unknown {
  if (isFault(error)) return error;
  const code = errorCode(error);
  if (FULL.has(code)) {
    const free = freeSpace(place);
    return new Fault('DISK_FULL', `There is no space left for ${place}${shown(free)}.`, {
      hint: 'Free some space, for instance with `troupe prune`, then try again. Files stored before are intact.',
      facts: { place, code, ...free },
      cause: error,
    });
  }
  if (CLOSED.has(code)) {
    return new Fault('STORE_UNWRITABLE', `${place} cannot be written.`, {
      hint: 'Make it writable for yourself, or choose another place.',
      facts: { place, code },
      cause: error,
    });
  }
  return error;
}

const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
const CLOSED = new Set(['EROFS', 'EACCES', 'EPERM']);

interface FreeSpace {
  readonly freeBytes: number;
  /** Null where the disk does not count them. */
  readonly freeFiles: number | null;
}

/** Of the disk that the place is on, or would be. */
function freeSpace(place: string): FreeSpace | null {
  for (let path = place; ; path = dirname(path)) {
    try {
      const { bavail, bsize, files, ffree } = statfsSync(path);
      return { freeBytes: bavail * bsize, freeFiles: files === 0 ? null : ffree };
    } catch {
      if (dirname(path) === path) return null;
    }
  }
}

/** With room for bytes it is the files that there are too many of, or a quota. */
function shown(free: FreeSpace | null): string {
  if (free === null) return '';
  const bytes =
    free.freeBytes < 1e6 ? `${Math.floor(free.freeBytes / 1e3)} kB` : `${Math.floor(free.freeBytes / 1e6)} MB`;
  return ` (${bytes} free${free.freeFiles === 0 ? ', and no room for another file' : ''})`;
}

export function storeDamaged(sentence: string, cause?: unknown): Fault {
  return new Fault('STORE_DAMAGED', sentence, {
    hint: 'What was recorded there cannot be restored whole. The files themselves were not touched.',
    ...(cause === undefined ? {} : { cause }),
  });
}

export async function withStoreFaults<T>(place: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw storeFault(error, place);
  }
}

/**
 * What a person has to fix before any work on files can continue, such as a full disk; null for all else. It is nothing an agent
 * could do something about, so it is no answer to one.
 */
export function faultToFix(error: unknown, place: string): Fault | null {
  if (isFault(error)) return codeEntry(error.code).pausesRun === true ? error : null;
  if (!OF_DISK.has(errorCode(error))) return null;
  const fault = storeFault(error, place);
  return isFault(fault) ? fault : null;
}

/** A program failed where the disk has no room left: what it did is worth nothing. */
export function fullDiskAt(place: string): Fault | null {
  const free = freeSpace(place);
  if (free === null || (free.freeBytes >= LEAST_BYTES && free.freeFiles !== 0)) return null;
  return faultToFix(Object.assign(new Error('No space left on device'), { code: 'ENOSPC' }), place);
}

const OF_DISK: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EROFS']);

/** Less than a block or two: nothing can be written. */
const LEAST_BYTES = 16_384;
