import {
  chmodSync,
  closeSync,
  constants,
  createReadStream,
  fchmodSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  statSync,
  symlinkSync,
  writeSync,
} from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import type { TreeId } from '../core/model/ids.ts';
import { type EntryStamp, stampOf } from './store/entry-stamp.ts';
import type { TreeEntry, TreeStore } from './store/port.ts';
import { writePieces } from './store/pieces.ts';
import { createHash, randomBytes } from 'node:crypto';
import { copyFile, lstat, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type BytePath, diskPath, folderOf } from './byte-path.ts';

/**
 * Writes a whole tree into a new, empty folder that no other process knows. So no file is in the way and none needs a
 * temporary name: this takes a third of the time of a restore. Resolves to the stamps of files and links.
 */
export async function plantTree(request: PlantRequest): Promise<ReadonlyMap<BytePath, EntryStamp>> {
  const { store, folder } = request;
  const shares = await canShareBlocks(request.project, folder);
  const planting = new Planting(request, shares);
  let count = 0;
  for (const [path, entry] of await store.entries(request.tree)) {
    count += 1;
    // Small files do not wait for anything, so others get their turn now and then.
    if (count % FILES_PER_TURN === 0) {
      await turn();
      request.signal?.throwIfAborted();
    }
    await planting.add(path, entry);
  }
  planting.finish();
  return planting.stamps;
}

export interface PlantRequest {
  readonly store: TreeStore;
  readonly tree: TreeId;
  readonly folder: string;
  /** Where contents may be had faster than from the store. */
  readonly project: string;
  readonly signal?: AbortSignal | undefined;
}

const FILES_PER_TURN = 50;
/** The mode of folders that no tree mentions. */
const FOLDER_MODE = 0o755;

class Planting {
  readonly stamps = new Map<BytePath, EntryStamp>();
  readonly #request: PlantRequest;
  readonly #shares: boolean;
  /** The permissions that this process may hand out without asking twice. */
  readonly #allowed: number;
  /** In the order in which they were made, the upper one before what is in it. */
  readonly #folders = new Map<BytePath, number>();

  constructor(request: PlantRequest, shares: boolean) {
    this.#request = request;
    this.#shares = shares;
    this.#allowed = statSync(request.folder).mode & 0o777;
  }

  async add(path: BytePath, entry: TreeEntry): Promise<void> {
    if (entry.kind === 'unkept') return;
    if (entry.kind === 'folder') {
      this.#makeFolder(path);
      this.#folders.set(path, entry.mode);
      return;
    }
    this.#makeFolder(folderOf(path));
    if (entry.kind === 'file') await this.#addFile(path, entry);
    else {
      symlinkSync(await this.#request.store.read(entry.blob), this.#at(path));
      this.#stampAt(path);
    }
  }

  /** Last, since one may be closed to its own owner. */
  finish(): void {
    for (const [path, mode] of [...this.#folders].reverse()) {
      if (mode !== (FOLDER_MODE & this.#allowed)) chmodSync(this.#at(path), mode);
    }
  }

  async #addFile(path: BytePath, { blob, mode }: Extract<TreeEntry, { kind: 'file' }>): Promise<void> {
    const to = this.#at(path);
    if (this.#shares && (await cloneLargeFile(diskPath(this.#request.project, path), to, blob))) {
      chmodSync(to, mode);
      this.#stampAt(path);
      return;
    }
    const { store } = this.#request;
    const near = store.peek(blob);
    const pieces = near === null ? store.large(blob) : null;
    if (pieces !== null) {
      await writePieces(to, pieces, { mode, durable: false, signal: this.#request.signal });
      this.#stampAt(path);
      return;
    }
    const content = near ?? (await store.read(blob));
    const file = openSync(to, 'wx', mode);
    try {
      for (let at = 0; at < content.length;) at += writeSync(file, content, at);
      if ((mode & this.#allowed) !== mode) fchmodSync(file, mode);
      this.stamps.set(path, stampOf(fstatSync(file, { bigint: true })));
    } finally {
      closeSync(file);
    }
  }

  #stampAt(path: BytePath): void {
    this.stamps.set(path, stampOf(lstatSync(this.#at(path), { bigint: true })));
  }

  #makeFolder(path: BytePath): void {
    if (path === '' || this.#folders.has(path)) return;
    this.#makeFolder(folderOf(path));
    mkdirSync(this.#at(path), FOLDER_MODE);
    this.#folders.set(path, FOLDER_MODE);
  }

  #at(path: BytePath): string | Buffer {
    return diskPath(this.#request.folder, path);
  }
}

/**
 * Brings a large file of the project into a new workspace as shared blocks, where the disk can: that takes no space, and
 * writing to one of the two leaves the other as it was. False when the file is not what the tree says, or small. Never a
 * hard link, through which an agent could write into the user's file.
 */
export async function cloneLargeFile(from: string | Buffer, to: string | Buffer, blob: string): Promise<boolean> {
  const stats = await lstat(from).catch(() => null);
  if (stats?.isFile() !== true || stats.size < LARGE_BYTES) return false;
  try {
    await copyFile(from, to, SHARED);
  } catch {
    return false;
  }
  if ((await blobOfFile(to)) === blob) return true;
  await rm(to);
  return false;
}

/** Below this a copy is as fast. */
const LARGE_BYTES = 1024 * 1024;
const SHARED = constants.COPYFILE_FICLONE_FORCE + constants.COPYFILE_EXCL;

/** The name git gives to a content. */
export async function blobOfFile(path: string | Buffer): Promise<string> {
  const { size } = await lstat(path);
  const hash = createHash('sha1').update(`blob ${size}\0`);
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** Tried with our own file; across two disks it never works. */
export async function canShareBlocks(project: string, folder: string): Promise<boolean> {
  const [one, other] = await Promise.all([lstat(project).catch(() => null), lstat(folder)]);
  if (one?.dev !== other.dev) return false;
  const probe = join(dirname(folder), `probe-${randomBytes(6).toString('hex')}`);
  try {
    await writeFile(probe, 'x'.repeat(8192), { mode: 0o600 });
    await copyFile(probe, `${probe}~`, SHARED);
    return true;
  } catch {
    return false;
  } finally {
    await Promise.all([rm(probe, { force: true }), rm(`${probe}~`, { force: true })]);
  }
}
