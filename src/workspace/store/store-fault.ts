import { Fault, isFault } from '../../core/fault.ts';
import { errorCode } from '../../lib/held-folder.ts';

/** What the disk said while files were recorded or restored, as something a person can act on. */
export function storeFault(error: unknown, place: string): unknown {
  if (isFault(error)) return error;
  const code = errorCode(error);
  if (FULL.has(code)) {
    return new Fault('DISK_FULL', `There is no space left for ${place}.`, {
      hint: 'Free some space, for instance with `troupe prune`, and do the same again. What was kept before is unharmed.',
      facts: { place, code },
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
