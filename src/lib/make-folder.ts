import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCode } from './held-folder.ts';

/**
 * Creates a folder and its missing parents. Node's own recursive mode never returns if a file system answers "no such file"
 * for a folder that cannot be created, such as `/proc`; this one throws.
 */
export function makeFolder(path: string, mode = 0o777): void {
  try {
    makeOne(path, mode);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' || dirname(path) === path) throw error;
    makeFolder(dirname(path), mode);
    makeOne(path, mode);
  }
}

/** Another process may create it at the same moment. */
function makeOne(path: string, mode: number): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    const isThere = errorCode(error) === 'EEXIST' && statSync(path, { throwIfNoEntry: false })?.isDirectory();
    if (isThere !== true) throw error;
  }
}
