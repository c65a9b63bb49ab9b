import { shownPath } from '../../../lib/confined-path.ts';
import type { BytePath } from '../../../workspace/byte-path.ts';

/** A path of a tree as text; what is not UTF-8 is quoted, and is the name of no other file. */
export function asText(path: BytePath): string {
  const bytes = Buffer.from(path, 'latin1');
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? text : shownPath(bytes);
}

export const asBytes = (path: string): BytePath => Buffer.from(path, 'utf8').toString('latin1');
