import { isFault } from '../core/fault.ts';
import type { Fault } from '../core/fault.ts';
import { errorCode } from '../lib/held-folder.ts';
import { freeSpace, storeFault } from './store/store-fault.ts';

/**
 * What a person has to mend before any work on files can go on, such as a full disk; null for all else. It is nothing an agent
 * could do something about, so it is no answer to one.
 */
export function faultToMend(error: unknown, place: string): Fault | null {
  if (isFault(error)) return TO_MEND.has(error.code) ? error : null;
  if (!OF_DISK.has(errorCode(error))) return null;
  const fault = storeFault(error, place);
  return isFault(fault) ? fault : null;
}

/** A program failed where the disk has no room left: what it did is worth nothing. */
export function fullDiskAt(place: string): Fault | null {
  const free = freeSpace(place);
  if (free === null || (free.freeBytes >= LEAST_BYTES && free.freeFiles !== 0)) return null;
  return faultToMend(Object.assign(new Error('No space left on device'), { code: 'ENOSPC' }), place);
}

const TO_MEND: ReadonlySet<string> = new Set([
  'DISK_FULL',
  'LOGIN_NEEDED',
  'MODULE_GONE',
  'QUOTA_USED_UP',
  'SETUP_FAILED',
  'STORE_BUSY',
  'STORE_DAMAGED',
  'STORE_UNWRITABLE',
  'TREE_GONE',
  'WORKSPACE_GIT_FAILED',
  'WORKSPACE_MISSING',
  'WORKSPACE_NO_OVERLAY',
  'WORKSPACE_RULES_DAMAGED',
]);

const OF_DISK: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EROFS']);

/** Less than a block or two: nothing can be written. */
const LEAST_BYTES = 16_384;
