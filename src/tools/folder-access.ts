import { readHeldFile, writeHeldFile } from '../lib/held-file.ts';
import { withFolder } from '../lib/held-folder.ts';
import type { HeldFolder } from '../lib/held-folder.ts';
import { PathRefused, splitPath } from '../lib/confined-path.ts';

/** Folders that steer what runs on the user's machine: no tool writes into them, wherever they stand. */
export const CONTROL_FOLDERS: readonly string[] = ['.git', '.troupe'];

/** Folders that searching passes over unless it is pointed into them. */
export const QUIET_FOLDERS: readonly string[] = [...CONTROL_FOLDERS, 'node_modules'];

export async function readInFolder(root: string, path: string, maxBytes: number): Promise<Buffer> {
  const { parents, name } = fileIn(splitPath(path), path);
  return withFolder({ root, names: parents }, (folder) => readHeldFile(folder, name, { maxBytes }));
}

/** Makes the folders on the way. */
export async function writeInFolder(root: string, path: string, content: string): Promise<{ created: boolean }> {
  const { parents, name } = fileIn(splitPath(path, { reserved: CONTROL_FOLDERS }), path);
  return withFolder({ root, names: parents, create: true }, (folder) => writeHeldFile(folder, name, { content }));
}

/** Holds the folder that `path` names; the root itself for `.`. */
export async function inFolder<T>(root: string, path: string, use: (folder: HeldFolder) => Promise<T>): Promise<T> {
  return withFolder({ root, names: splitPath(path) }, use);
}

/** The one spelling of a path: without `.` and a slash at the end. */
export function plainPath(path: string): string {
  return splitPath(path).join('/');
}

/** A path apart: the folders, and the file in the last of them. */
export function fileIn(names: readonly string[], path: string): { parents: readonly string[]; name: string } {
  const name = names.at(-1);
  if (name === undefined) throw new PathRefused('is-a-folder', path, 'is a folder.');
  return { parents: names.slice(0, -1), name };
}
