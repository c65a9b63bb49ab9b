import { lstat, readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/**
 * The folders of objects that a repository reads: its own, and those it borrows from in turn. Agents may read all of them, and
 * a project may come from anybody, so a folder that holds anything else is none: its repository could name the user's keys.
 */
export async function borrowedObjects(objects: string): Promise<readonly string[]> {
  const folders = new Set<string>();
  await addWithAlternates(objects, folders, 0);
  return [...folders].filter((folder) => !folder.includes('\n'));
}

/** Git itself goes no deeper. */
const MAX_DEPTH = 5;

async function addWithAlternates(objects: string, folders: Set<string>, depth: number): Promise<void> {
  if (folders.has(objects) || depth > MAX_DEPTH) return;
  const isOwn = depth === 0 && (await isRealFolder(objects));
  if (!isOwn && !(await holdsOnlyObjects(objects))) return;
  folders.add(objects);
  const text = await readFile(join(objects, 'info', 'alternates'), 'utf8').catch(() => '');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#') && !line.startsWith('"'));
  for (const line of lines) {
    await addWithAlternates(resolve(objects, line), folders, depth + 1);
  }
}

async function isRealFolder(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null))?.isDirectory() === true;
}

async function holdsOnlyObjects(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => null);
  return names?.every((name) => OBJECT_NAMES.test(name)) ?? false;
}

/** What git makes in such a folder, half-written things included. */
const OBJECT_NAMES = /^(?:[0-9a-f]{2}|pack|info|(?:tmp_|incoming-|bulk-fsync-).*)$/;
