import { readFileSync, statSync } from 'node:fs';
import { checked, type Checked } from '../source/checked.ts';
import { readSourceFile } from '../source/read-source-file.ts';
import { MAX_SOURCE_BYTES } from '../source/source-limits.ts';

/**
 * Every run reads some thirty small files here, and one after the other at once takes a tenth of what waiting for each does. Whatever
 * is odd about a file is left to the careful reader, which tells what it is.
 */
export async function readWords(path: string): Promise<Checked<string>> {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile() !== true || found.size > MAX_SOURCE_BYTES) return await readSourceFile(path);
  try {
    return checked(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(path)), []);
  } catch {
    return await readSourceFile(path);
  }
}
