import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { PathRefused } from '../../lib/confined-path.ts';
import { openHeldFile } from '../../lib/held-file.ts';
import { errorCode, type HeldFolder } from '../../lib/held-folder.ts';
import { nameIn, lastName } from '../byte-path.ts';
import { LARGE_BYTES } from './pieces.ts';
import { isSettled, stampParts, stampOf, type EntryStamp } from './entry-stamp.ts';
import type { SeenEntry } from './remembered-folders.ts';
import { entryIn, HeldPath, QuickPath } from './held-path.ts';
import { addLargeFile } from './large-objects.ts';
import type { ObjectBatch, ObjectStore } from './object-store.ts';
import type { TreeEntry, Unkept } from './tree-types.ts';
import type { ToRead } from './reconcile.ts';

/** Reads files and links by descriptor and puts their content into the store. What vanished meanwhile is not among the results. */
export async function readChanged(folder: string, wanted: readonly ToRead[], to: ReadTarget): Promise<FoundEntry[]> {
  const found: FoundEntry[] = [];
  if (wanted.length === 0) return found;
  const held = await HeldPath.open(folder);
  const quick = QuickPath.open(folder);
  try {
    for (const one of inTreeOrder(wanted)) {
      to.signal?.throwIfAborted();
      const seen = readQuickly(quick, one, to) ?? (await readCarefully(held, one, to));
      if (seen !== null) found.push({ path: one.path, seen });
      if (to.batch.isLarge) await to.batch.flush();
      // Small files are read without waiting for anything, and a server has others to answer meanwhile.
      if (found.length % FILES_AT_ONCE === 0) await setImmediate();
    }
  } finally {
    quick?.close();
    await held.close();
  }
  return found;
}

const FILES_AT_ONCE = 100;

export interface ReadTarget {
  readonly objects: ObjectStore;
  readonly batch: ObjectBatch;
  readonly maxFileBytes: number;
  readonly lookedAtMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface FoundEntry {
  readonly path: string;
  readonly seen: SeenEntry;
}

/** Sorted, so that each folder is opened once, and reading the tree goes through the store in order. */
function* inTreeOrder(wanted: readonly ToRead[]): Generator<ToRead> {
  const byFolder = Map.groupBy(wanted, ({ folder }) => folder);
  for (const folder of [...byFolder.keys()].sort()) {
    yield* (byFolder.get(folder) ?? []).sort((a, b) => (a.path < b.path ? -1 : 1));
  }
}

/**
 * Most files are small and do not change while they are read: if their stamp afterwards is the listed one, nothing happened in
 * between. Null if it differs, and in all other cases.
 */
function readQuickly(quick: QuickPath | null, wanted: ToRead, to: ReadTarget): SeenEntry | null {
  const { path, folder, kind, size, stamp } = wanted;
  if (quick === null || kind !== 'file' || size >= scratch.length) return null;
  try {
    const file = openSync(entryIn(quick.at(folder), nameIn(path)), READ_ONLY);
    try {
      const isWhole = readFully(file, scratch, size) === size;
      if (!isWhole || stampOf(fstatSync(file, { bigint: true })) !== stamp) return null;
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
  const parts = stampParts(stamp);
  const entry: TreeEntry = { kind, mode: parts.mode & 0o777, blob: to.batch.put('blob', scratch.subarray(0, size)) };
  const settled = isSettled(parts, to.lookedAtMs);
  return { stamp, folder, entry, isSettled: settled, hasSpecialBits: (parts.mode & 0o7000) !== 0 };
}

/** Used again for each file, since what is read is in the store before the next one. */
const scratch = Buffer.allocUnsafeSlow(64 * 1024);

async function readCarefully(held: HeldPath, wanted: ToRead, to: ReadTarget): Promise<SeenEntry | null> {
  const place = await held.find(wanted.folder);
  return place === null ? null : await readEntry(place, wanted, to);
}

async function readEntry(place: HeldFolder, wanted: ToRead, to: ReadTarget): Promise<SeenEntry | null> {
  const name = lastName(wanted.path);
  const content =
    wanted.kind === 'link' ? readLink(place, name, to) : await readFile(place, name, { ...to, size: wanted.size });
  if (content === null) return null;
  const parts = stampParts(content.stamp);
  const settled = content.isWhole && isSettled(parts, to.lookedAtMs);
  const isFile = content.entry.kind === 'file';
  return {
    stamp: content.stamp,
    folder: wanted.folder,
    entry: content.entry,
    isSettled: settled,
    hasSpecialBits: isFile && (parts.mode & 0o7000) !== 0,
  };
}

interface Content {
  readonly stamp: EntryStamp;
  readonly entry: TreeEntry;
  /** Whether it was unchanged while it was read. */
  readonly isWhole: boolean;
}

function readLink(place: HeldFolder, name: Buffer, { batch }: ReadTarget): Content | null {
  const stats = place.lookNow(name);
  if (stats?.isSymbolicLink() !== true) return null;
  try {
    const target = readlinkSync(place.at(name), { encoding: 'buffer' });
    const after = place.lookNow(name);
    const isWhole = after !== null && stampOf(after) === stampOf(stats);
    return { stamp: stampOf(stats), entry: { kind: 'link', blob: batch.put('blob', target) }, isWhole };
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
}

type FileTarget = ReadTarget & { readonly size: number };

/** Small files at once: handing each call to another thread takes ten times as long. */
async function readFile(place: HeldFolder, name: Buffer, to: FileTarget): Promise<Content | null> {
  for (let tries = 1; ; tries += 1) {
    const content = to.size > LARGE_BYTES ? await readLarge(place, name, to) : readSmall(place, name, to);
    if (content === 'large') return readFile(place, name, { ...to, size: LARGE_BYTES + 1 });
    if (content === null || content.isWhole || tries === MAX_TRIES) return content;
  }
}

const MAX_TRIES = 4;
const READ_ONLY = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

function readSmall(place: HeldFolder, name: Buffer, to: FileTarget): Content | 'large' | null {
  let file: number;
  try {
    file = openSync(place.at(name), READ_ONLY);
  } catch (error) {
    return unopened(place, name, error);
  }
  try {
    const stats = fstatSync(file, { bigint: true });
    if (!stats.isFile()) return null;
    if (stats.size > LARGE_BYTES) return 'large';
    const size = Number(stats.size);
    const buffer = Buffer.allocUnsafe(size + 1);
    const length = readFully(file, buffer, size);
    const stamp = stampOf(stats);
    const isWhole = length === size && stampOf(fstatSync(file, { bigint: true })) === stamp;
    const blob = to.batch.put('blob', buffer.subarray(0, length));
    return { stamp, entry: { kind: 'file', mode: Number(stats.mode & 0o777n), blob }, isWhole };
  } finally {
    closeSync(file);
  }
}

/** Asks for one byte more than there should be, to see whether it has grown. */
function readFully(file: number, buffer: Buffer, size: number): number {
  let length = 0;
  while (length <= size) {
    const more = readSync(file, buffer, length, size + 1 - length, length);
    length += more;
    if (more === 0 || length === size) break;
  }
  return length;
}

async function readLarge(place: HeldFolder, name: Buffer, to: FileTarget): Promise<Content | null> {
  try {
    const file = await openHeldFile(place, name);
    try {
      const stats = await file.stat({ bigint: true });
      const stamp = stampOf(stats);
      if (stats.size > to.maxFileBytes) return { stamp, entry: { kind: 'unkept', why: 'too-large' }, isWhole: true };
      const blob = await addLargeFile(to.objects, file, { size: Number(stats.size), signal: to.signal });
      // It is being written at this moment: reported, rather than kept in a state it never had.
      if (blob === null) return { stamp, entry: { kind: 'unkept', why: 'unreadable' }, isWhole: false };
      const isWhole = stampOf(await file.stat({ bigint: true })) === stamp;
      return { stamp, entry: { kind: 'file', mode: Number(stats.mode & 0o777n), blob }, isWhole };
    } finally {
      await file.close();
    }
  } catch (error) {
    return unopened(place, name, error);
  }
}

/** Gone or replaced is absent; unreadable is reported; anything else is thrown. */
function unopened(place: HeldFolder, name: Buffer, error: unknown): Content | null {
  if (isAbsent(error)) return null;
  const isDenied = error instanceof PathRefused ? error.reason === 'denied' : DENIED.has(errorCode(error));
  const stats = isDenied ? place.lookNow(name) : null;
  if (!isDenied) throw error;
  const why: Unkept = 'unreadable';
  return stats === null ? null : { stamp: stampOf(stats), entry: { kind: 'unkept', why }, isWhole: true };
}

const DENIED = new Set(['EACCES', 'EPERM']);
const ABSENT = new Set(['ENOENT', 'ELOOP', 'ENOTDIR', 'EISDIR', 'ENXIO', 'EINVAL']);
const ABSENT_REASONS = new Set<string>(['missing', 'link', 'not-a-folder', 'is-a-folder', 'special']);

function isAbsent(error: unknown): boolean {
  return error instanceof PathRefused ? ABSENT_REASONS.has(error.reason) : ABSENT.has(errorCode(error));
}
