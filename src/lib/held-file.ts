import { randomBytes } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { open, rename, unlink, type FileHandle } from 'node:fs/promises';
import { PathRefused } from './confined-path.ts';
import { refusal, type HeldFolder, type Name } from './held-folder.ts';

/**
 * Reads a whole file of a held folder. Links, devices, pipes and sockets are refused, and opening never waits: a pipe
 * without a writer would hang the process forever.
 */
export async function readHeldFile(folder: HeldFolder, name: Name, options: HeldReadOptions): Promise<Buffer> {
  const handle = await openHeldFile(folder, name);
  try {
    const { size } = await handle.stat();
    if (size > options.maxBytes) throw tooLarge(folder.labelOf(name), size, options.maxBytes);
    return await readUpTo(handle, options.maxBytes);
  } finally {
    await handle.close();
  }
}

export interface HeldReadOptions {
  readonly maxBytes: number;
}

/**
 * The same synchronously, for many small files, where awaiting each call would take most of the time. For files that were
 * just listed as regular; null for a file that is too large or no longer regular.
 */
export function readHeldFileNow(folder: HeldFolder, name: Name, options: HeldReadOptions): Buffer | null {
  const file = openSync(folder.at(name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile() || stats.size > options.maxBytes) return null;
    const buffer = Buffer.allocUnsafe(stats.size);
    return buffer.subarray(0, readSync(file, buffer, 0, stats.size, 0));
  } finally {
    closeSync(file);
  }
}

/** Opens a regular file for reading, and only that. */
export async function openHeldFile(folder: HeldFolder, name: Name): Promise<FileHandle> {
  const label = folder.labelOf(name);
  // Opening a device can have side effects, so check first; the check after opening is the one that counts.
  const seen = await folder.look(name);
  if (seen === null) throw new PathRefused('missing', label, 'does not exist.');
  refuseOddities(seen, label);
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = await open(folder.at(name), flags).catch((error: unknown) => {
    throw refusal(error, label);
  });
  const stats = await handle.stat();
  if (stats.isFile()) return handle;
  await handle.close();
  throw new PathRefused('special', label, 'is not a regular file.');
}

/**
 * Writes a file whole or not at all: a new file next to it, then a rename inside the held folder. An existing file keeps its
 * mode. A file with a second hard link elsewhere is refused, since people expect both names to change.
 */
export async function writeHeldFile(
  folder: HeldFolder,
  name: Name,
  options: WriteOptions,
): Promise<{ created: boolean }> {
  const label = folder.labelOf(name);
  const existing = await folder.look(name);
  if (existing !== null) refuseToReplace(existing, label);
  const partial = `.${randomBytes(9).toString('base64url')}${PARTIAL_ENDING}`;
  try {
    await writePartial(folder.at(partial), options, existing);
    await rename(folder.at(partial), folder.at(name));
  } catch (error) {
    await unlink(folder.at(partial)).catch(() => undefined);
    throw refusal(error, label);
  }
  return { created: existing === null };
}

export interface WriteOptions {
  readonly content: string | Uint8Array;
  /** For a new file. Default: what the umask leaves of 0666. */
  readonly mode?: number;
}

/** A file that a dying process left half written: lists leave it out. */
export function isPartialName(name: string): boolean {
  return name.startsWith('.') && name.endsWith(PARTIAL_ENDING);
}

const PARTIAL_ENDING = '.partial~';

async function writePartial(path: Buffer, options: WriteOptions, existing: Stats | null): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const handle = await open(path, flags, 0o666);
  try {
    await handle.writeFile(options.content);
    const mode = existing?.mode ?? options.mode;
    if (mode !== undefined) await handle.chmod(mode & 0o777);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function refuseToReplace(stats: Stats, label: string): void {
  refuseOddities(stats, label);
  if (stats.nlink > 1) {
    throw new PathRefused('hard-link', label, 'has more than one name (a hard link), so it is not written.');
  }
}

function refuseOddities(stats: Stats, label: string): void {
  if (stats.isSymbolicLink()) throw new PathRefused('link', label, 'is a symbolic link, which is not followed.');
  if (stats.isDirectory()) throw new PathRefused('is-a-folder', label, 'is a folder.');
  if (!stats.isFile()) throw new PathRefused('special', label, 'is not a regular file.');
}

async function readUpTo(handle: FileHandle, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let total = 0;
  for (;;) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, null);
    if (bytesRead === 0) return Buffer.concat(parts);
    total += bytesRead;
    // The file may grow while it is read.
    if (total > maxBytes) return Buffer.concat(parts);
    parts.push(buffer.subarray(0, bytesRead));
  }
}

const CHUNK_BYTES = 65_536;

function tooLarge(label: string, size: number, maxBytes: number): PathRefused {
  return new PathRefused('too-large', label, `has ${size} bytes; at most ${maxBytes} are read.`);
}
