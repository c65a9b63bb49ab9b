import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { checked, refusedSource, type Checked } from './checked.ts';

export interface FolderEntry {
  readonly name: string;
  readonly isFolder: boolean;
}

/** What lies in a folder, hidden files left out, in the order of names. A folder that does not exist is empty; one that cannot be read is a problem. */
export async function listFolder(folder: string): Promise<Checked<readonly FolderEntry[]>> {
  try {
    const names = (await readdir(folder)).filter((name) => !name.startsWith('.')).sort();
    return checked(await Promise.all(names.map((name) => entry(folder, name))), []);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    if (code === 'ENOENT') return checked([], []);
    const message = `The folder cannot be read: ${code}.`;
    return refusedSource([{ code: 'SOURCE_UNREADABLE', message, severity: 'error', file: folder }]);
  }
}

/** A link counts as what it leads to; one that leads nowhere is told when it is read. */
async function entry(folder: string, name: string): Promise<FolderEntry> {
  const found = await stat(join(folder, name)).catch(() => null);
  return { name, isFolder: found?.isDirectory() === true };
}
