import { codeEntry } from '../../core/codes/codes.ts';
import { isFault } from '../../core/model/fault.ts';

/** The work did not fail: this process can no longer drive. The run stays as it is and can be resumed. */
export function isJournalFault(error: unknown): boolean {
  return isFault(error) && codeEntry(error.code).endsDriving === true;
}
