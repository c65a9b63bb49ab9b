import { shownPath } from '../../../lib/confined-path.ts';
import type { BytePath } from '../../../workspace/byte-path.ts';

/** A path of a tree as text; bytes that are not UTF-8 are quoted, so that it names no other file. */
export function asText(path: BytePath): string {
  const bytes = Buffer.from(path, 'latin1');
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? text : shownPath(bytes);
}

export const asBytes = (path: string): BytePath => Buffer.from(path, 'utf8').toString('latin1');
