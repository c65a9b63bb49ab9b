import { isPartialName, readHeldFile, writeHeldFile } from '../lib/held-file.ts';
import { type HeldFolder, withFolder } from '../lib/held-folder.ts';
import { PathRefused, splitPath } from '../lib/confined-path.ts';
import { isUtf8 } from 'node:buffer';
import { type WalkedEntry, walkFolder } from '../workspace/walk-folder.ts';

/** Folders that steer what runs on the user's machine: no tool writes into them, wherever they stand. */
export const CONTROL_FOLDERS: readonly string[] = ['.git', '.troupe'];

/** Folders that searching passes over unless it is pointed into them. */
const QUIET_FOLDERS: ReadonlySet<string> = new Set([...CONTROL_FOLDERS, 'node_modules']);

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

/** The text of a file, or null when it is not text. A byte order mark and the line ends stay as they are. */
export function textOf(bytes: Buffer): string | null {
  return isBinary(bytes) || !isUtf8(bytes) ? null : bytes.toString('utf8');
}

/** A NUL never stands in text; looking at the beginning is what git does too. */
export function isBinary(bytes: Buffer): boolean {
  return bytes.subarray(0, 8192).includes(0);
}

/** The regular files below a folder that an agent would search. */
export async function* walkFiles(start: HeldFolder, signal: AbortSignal): AsyncGenerator<WalkedEntry> {
  const skip = (bytes: Buffer) => {
    const name = bytes.toString('utf8');
    return QUIET_FOLDERS.has(name) || isPartialName(name);
  };
  for await (const entry of walkFolder(start, { skip, signal, tolerant: true })) {
    if (entry.kind === 'file') yield entry;
  }
}

/** Joined by slashes; bytes, since a name need not be text. */
export function joined(names: readonly Buffer[]): Buffer {
  return Buffer.concat(names.flatMap((name, at) => (at === 0 ? [name] : [SLASH, name])));
}

const SLASH = Buffer.from('/');
