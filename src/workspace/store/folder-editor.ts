import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { orElse } from '../../lib/or-else.ts';
import { openHeldFile } from '../../lib/held-file.ts';
import { errorCode, type HeldFolder } from '../../lib/held-folder.ts';
import { type BytePath, lastName, folderOf } from '../byte-path.ts';
import { isGitName } from './git-object.ts';
import { HeldPath } from './held-path.ts';
import type { ObjectStore } from './object-store.ts';
import type { LeaveOut, TreeEntry } from './tree-types.ts';
import { writePieces } from './pieces.ts';

/** Changes single entries of a folder. Every step goes through held folders, so no link is ever followed out of it. */
export class FolderEditor {
  readonly #held: HeldPath;
  readonly #options: EditorOptions;
  readonly #opened = new Set<BytePath>();

  private constructor(held: HeldPath, options: EditorOptions) {
    this.#held = held;
    this.#options = options;
  }

  static async open(folder: string, options: EditorOptions): Promise<FolderEditor> {
    return new FolderEditor(await HeldPath.open(folder), options);
  }

  /** False when it had to stay for what is in it. */
  async remove(path: BytePath, entry: TreeEntry): Promise<boolean> {
    const above = await this.#above(path);
    return entry.kind === 'unkept' ? removeAll(above, path, this.#options) : removeOne(above, lastName(path));
  }

  async makeFolder(path: BytePath): Promise<void> {
    const above = await this.#above(path);
    try {
      mkdirSync(above.at(lastName(path)), 0o700);
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
    this.#opened.add(path);
  }

  /** Whole or not at all: beside its place, then renamed into it. */
  async write(path: BytePath, entry: TreeEntry, contents: Contents): Promise<void> {
    if (entry.kind !== 'file' && entry.kind !== 'link') return;
    const above = await this.#above(path);
    const partial = partialIn(above);
    const { durable, signal } = this.#options;
    const pieces = entry.kind === 'file' ? contents.large(entry.blob) : null;
    try {
      if (entry.kind === 'link') symlinkSync(contents.read(entry.blob).body, partial);
      else if (pieces !== null) await writePieces(partial, pieces, { mode: entry.mode, durable, signal });
      else writeNew(partial, contents.read(entry.blob).body, { mode: entry.mode, durable });
      renameSync(partial, above.at(lastName(path)));
    } catch (error) {
      removeQuietly(partial);
      throw error;
    }
  }

  /** Renames it to an unused name. Resolves to that name. */
  async setAside(path: BytePath): Promise<BytePath> {
    const above = await this.#above(path);
    for (let count = 1; ; count += 1) {
      const aside = `${path}.kept${count === 1 ? '' : `-${count}`}`;
      if (above.lookNow(lastName(aside)) !== null) continue;
      renameSync(above.at(lastName(path)), above.at(lastName(aside)));
      return aside;
    }
  }

  async setMode(path: BytePath, mode: number): Promise<void> {
    const above = await this.#above(path);
    this.#opened.add(path);
    if (hasOtherNames(above, lastName(path))) await standAlone(above, lastName(path), mode);
    else changeMode(above, lastName(path), { mode });
  }

  /** Its mode may be another than it was for a while. */
  wasOpened(path: BytePath): boolean {
    return this.#opened.has(path);
  }

  async close(): Promise<void> {
    await this.#held.close();
  }

  async #above(path: BytePath): Promise<HeldFolder> {
    return this.#held.at(folderOf(path));
  }
}

export interface EditorOptions {
  readonly leaveOut: LeaveOut;
  /** The content of a file is on the disk before the file takes its place. */
  readonly durable: boolean;
  readonly signal?: AbortSignal | undefined;
}

export type Contents = Pick<ObjectStore, 'read' | 'large'>;

function partialIn(above: HeldFolder): Buffer {
  return above.at(`.${randomBytes(9).toString('base64url')}.partial~`);
}

const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

function writeNew(path: Buffer, content: Buffer, options: { readonly mode: number; readonly durable: boolean }): void {
  const file = openSync(path, NEW_FILE, 0o600);
  try {
    for (let at = 0; at < content.length;) at += writeSync(file, content, at);
    fchmodSync(file, options.mode);
    if (options.durable) fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** It may not have been made, or have its place already. */
function removeQuietly(path: Buffer): void {
  orElse(() => unlinkSync(path), undefined);
}

function removeOne(above: HeldFolder, name: Buffer): boolean {
  const stats = above.lookNow(name);
  if (stats === null) return true;
  try {
    if (stats.isDirectory()) rmdirSync(above.at(name));
    else unlinkSync(above.at(name));
    return true;
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT') return true;
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return false;
    throw error;
  }
}

/** With all that is in it but what is left out and what is git's. */
async function removeAll(above: HeldFolder, path: BytePath, options: EditorOptions): Promise<boolean> {
  const name = lastName(path);
  if (isGitName(name.toString('latin1'))) return false;
  const isFolder = above.lookNow(name)?.isDirectory() === true;
  if (options.leaveOut(path, isFolder)) return false;
  if (isFolder) {
    changeMode(above, name, { mode: 0o700 });
    const folder = await above.child(name);
    try {
      for (const entry of await folder.entries()) {
        await removeAll(folder, `${path}/${entry.name.toString('latin1')}`, options);
      }
    } finally {
      await folder.close();
    }
  }
  return removeOne(above, name);
}

/** A file that has another name elsewhere shares its mode with it. */
function hasOtherNames(above: HeldFolder, name: Buffer): boolean {
  const stats = above.lookNow(name);
  return stats?.isFile() === true && stats.nlink > 1n;
}

/** A copy takes the place of the file, so that the other names keep what they had. */
async function standAlone(above: HeldFolder, name: Buffer, mode: number): Promise<void> {
  const file = await openHeldFile(above, name);
  const partial = partialIn(above);
  try {
    const pieces = file.createReadStream({ start: 0, autoClose: false }) as AsyncIterable<Buffer>;
    await writePieces(partial, pieces, { mode, durable: false });
    renameSync(partial, above.at(name));
  } catch (error) {
    removeQuietly(partial);
    throw error;
  } finally {
    await file.close();
  }
}

/**
 * By a descriptor that only names the entry, so that neither a link nor a file without permissions is in the way. A folder
 * keeps what it hands down to new files (its set-group-id and sticky bits); a file's special bits go.
 */
export function changeMode(above: HeldFolder, name: Buffer, { mode, kind }: ChangedMode): void {
  const file = openSync(above.at(name), constants.O_NOFOLLOW | (HAS_PROC ? O_PATH : constants.O_NONBLOCK));
  try {
    const stats = fstatSync(file);
    const isFolder = stats.isDirectory();
    if (!isFolder && (kind === 'folder' || !stats.isFile())) return;
    const wanted = isFolder ? mode | (stats.mode & 0o3000) : mode;
    if (HAS_PROC) chmodSync(`/proc/self/fd/${file}`, wanted);
    else fchmodSync(file, wanted);
  } finally {
    closeSync(file);
  }
}

interface ChangedMode {
  readonly mode: number;
  /** Only what is a folder is changed. */
  readonly kind?: 'folder';
}

const HAS_PROC = existsSync('/proc/self/fd');
/** Linux; Node has no name for it. */
const O_PATH = 0o10000000;
