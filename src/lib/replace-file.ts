import { randomUUID } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from './make-folder.ts';

/**
 * Writes a file of the engine under another name, then renames it: readers see the old content or the new one. Durable: also
 * after a power failure.
 */
export async function replaceFile(path: string, content: string | Uint8Array, { isDurable = false } = {}) {
  const draft = draftOf(path);
  try {
    await writeFile(draft, content, { ...NEW, flush: isDurable });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** The same at once. */
export function replaceFileNow(path: string, content: string): void {
  const draft = draftOf(path);
  try {
    writeFileSync(draft, content, NEW);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

const NEW = { mode: 0o600, flag: 'wx' } as const;

function draftOf(path: string): string {
  makeFolder(dirname(path), 0o700);
  return `${path}.${randomUUID()}~`;
}
