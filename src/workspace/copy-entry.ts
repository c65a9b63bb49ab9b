import { createHash, hash } from 'node:crypto';
import { closeSync, constants, fchmodSync, fstatSync, openSync, writeFileSync } from 'node:fs';
import type { BigIntStats } from 'node:fs';
import { open, readlink, symlink } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { openHeldFile, readHeldFileNow } from '../lib/held-file.ts';
import type { HeldFolder, Name } from '../lib/held-folder.ts';
import type { BytePath } from './byte-path.ts';

/** What was copied, as it stands in the copy. */
export type CopiedEntry =
  | {
      readonly kind: 'file';
      readonly size: number;
      readonly mode: number;
      readonly sha256: string;
      readonly stamp: string;
    }
  | { readonly kind: 'link'; readonly target: string };

export interface CopyPlace {
  readonly from: HeldFolder;
  readonly to: HeldFolder;
  readonly name: Buffer;
  /** The name of the copy, where it is another one. */
  readonly as?: Buffer;
}

/** Copies one file, bytes and mode as they are, into a name that is not taken yet. */
export async function copyFile(place: CopyPlace, maxBytes: number): Promise<CopiedEntry | 'too-large'> {
  const bytes = readHeldFileNow(place.from, place.name, { maxBytes: Math.min(maxBytes, SMALL_BYTES) });
  return bytes === null ? await copyLargeFile(place, maxBytes) : copySmallFile(place, bytes);
}

/** Most files are small, and there are many of them: at once, since handing each call to another thread takes ten times as long. */
const SMALL_BYTES = 1024 * 1024;
const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

function copySmallFile(place: CopyPlace, bytes: Buffer): CopiedEntry {
  const mode = Number(place.from.lookNow(place.name)?.mode ?? 0o600n) & 0o777;
  const target = openSync(place.to.at(place.as ?? place.name), NEW_FILE, 0o600);
  try {
    writeFileSync(target, bytes);
    fchmodSync(target, mode);
    const stamp = stampOf(fstatSync(target, { bigint: true }));
    return { kind: 'file', size: bytes.length, mode, sha256: hash('sha256', bytes), stamp };
  } finally {
    closeSync(target);
  }
}

async function copyLargeFile(place: CopyPlace, maxBytes: number): Promise<CopiedEntry | 'too-large'> {
  const source = await openHeldFile(place.from, place.name);
  try {
    const { mode, size } = await source.stat();
    if (size > maxBytes) return 'too-large';
    const target = await open(place.to.at(place.as ?? place.name), NEW_FILE, 0o600);
    try {
      const copied = await pump(source, target);
      await target.chmod(mode & 0o777);
      const stamp = stampOf(await target.stat({ bigint: true }));
      return { kind: 'file', ...copied, mode: mode & 0o777, stamp };
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** A link is copied as a link, and only when it stays inside; null when it leads out. */
export async function copyLink(place: CopyPlace, path: BytePath): Promise<CopiedEntry | null> {
  const target = await readlink(place.from.at(place.name), { encoding: 'buffer' });
  if (!staysInside(path, target.toString('latin1'))) return null;
  await symlink(target, place.to.at(place.as ?? place.name));
  return { kind: 'link', target: target.toString('latin1') };
}

/**
 * By the text alone: from the link's folder up at most to the root, then only down. A `..` further on is refused, since it
 * would be taken from wherever another link leads.
 */
export function staysInside(path: BytePath, target: BytePath): boolean {
  if (target === '' || target.startsWith('/')) return false;
  const names = target.split('/').filter((name) => name !== '' && name !== '.');
  const ups = names.findIndex((name) => name !== '..');
  const up = ups === -1 ? names.length : ups;
  return up <= path.split('/').length - 1 && !names.slice(up).includes('..');
}

/** Changes whenever the file may have changed: the change time cannot be set back from outside the kernel. */
export function stampOf({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [ino, size, mtimeNs, ctimeNs].join('-');
}

export async function contentHash(folder: HeldFolder, name: Name): Promise<string> {
  const file = await openHeldFile(folder, name);
  try {
    return (await pump(file, null)).sha256;
  } finally {
    await file.close();
  }
}

async function pump(source: FileHandle, target: FileHandle | null): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  let size = 0;
  for (;;) {
    const { bytesRead } = await source.read(buffer, 0, CHUNK_BYTES, null);
    if (bytesRead === 0) return { size, sha256: hash.digest('hex') };
    const chunk = buffer.subarray(0, bytesRead);
    hash.update(chunk);
    if (target !== null) await target.writeFile(chunk);
    size += bytesRead;
  }
}

const CHUNK_BYTES = 256 * 1024;
