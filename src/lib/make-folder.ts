import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and what is missing above it. Node's own recursive way never comes back where a file system answers
 * "no such file" for a folder that cannot be made, such as `/proc`; this one throws.
 */
export function makeFolder(path: string, mode = 0o777): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EEXIST' && statSync(path).isDirectory()) return;
    if (code !== 'ENOENT' || isFolder(dirname(path))) throw error;
    makeFolder(dirname(path), mode);
    mkdirSync(path, { mode });
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
