import { readFile, realpath, stat } from 'node:fs/promises';
import { Fault } from '../../core/model/fault.ts';
import { type EntryStamp, folderStamp, isSettled, stampParts } from './entry-stamp.ts';
import type { LookedFolders } from './folder-look.ts';
import type { ObjectStore } from './object-store.ts';
import type { EntryMap, TreeEntry, Written } from './tree-types.ts';
import type { ListedLine } from './walk-listing.ts';
import type { TreeId } from '../../core/model/ids.ts';
import { openTree } from './tree-objects.ts';
import { hash } from 'node:crypto';
import { type BytePath, pathBelow, folderOf } from '../byte-path.ts';
import { replaceFile } from '../../lib/replace-file.ts';

/** The known state of each folder, in memory and in its index file. One piece of work on a folder at a time. */
export class RememberedFolders {
  readonly #folders = new Map<string, Remembered>();

  /** `work` gets what is known and returns what is to be known from then on; thrown, everything stays as it was. */
  async use<T>(place: RememberedFolder, work: (state: FolderState, folder: string) => Promise<Worked<T>>): Promise<T> {
    const { folder, name } = await realFolder(place.folder);
    const key = JSON.stringify([name, place.index]);
    const known = this.#folders.get(key) ?? { turn: Promise.resolve(), state: null, timer: null };
    this.#folders.set(key, known);
    const mine = known.turn.then(async () => {
      const worked = await work(known.state ?? (await readIndex(place.index, name)), folder);
      known.state = worked.state;
      this.#writeSoon(known, { folder: name, index: place.index });
      return worked.result;
    });
    known.turn = mine.catch(() => undefined);
    return mine;
  }

  /** Writes what is not written yet. */
  async close(): Promise<void> {
    for (const [key, known] of this.#folders) {
      await known.turn;
      const [folder, index] = JSON.parse(key) as [string, string];
      if (known.timer === null || known.state === null) continue;
      clearTimeout(known.timer);
      known.timer = null;
      await writeIndex(index, folder, known.state);
    }
    this.#folders.clear();
  }

  /** After the work, and not after each piece of it: the index is worth little next to what it would cost. */
  #writeSoon(known: Remembered, { folder, index }: RememberedFolder): void {
    known.timer ??= setTimeout(() => {
      known.timer = null;
      if (known.state !== null) void writeIndex(index, folder, known.state);
    }, WRITE_AFTER_MS).unref();
  }
}

interface RealFolder {
  /** The path to work with. One by descriptor leads to what is mounted elsewhere only, and its real path to what is not. */
  readonly folder: string;
  /** The same for one folder at all times. */
  readonly name: string;
}

async function realFolder(path: string): Promise<RealFolder> {
  const [real, stats] = await Promise.all([realpath(path), stat(path)]).catch((cause: unknown) => {
    throw new Fault('FOLDER_MISSING', `There is no folder ${path}.`, { facts: { path }, cause });
  });
  if (!stats.isDirectory()) throw new Fault('FOLDER_MISSING', `${path} is not a folder.`, { facts: { path } });
  return { folder: path.startsWith('/proc/') ? path : real, name: real };
}

export interface RememberedFolder {
  readonly folder: string;
  readonly index: string;
}

interface Worked<T> {
  readonly result: T;
  readonly state: FolderState;
}

interface Remembered {
  turn: Promise<unknown>;
  state: FolderState | null;
  timer: NodeJS.Timeout | null;
}

const WRITE_AFTER_MS = 1000;

/** An entry of a folder as it was when it was last looked at. */
export interface SeenEntry {
  readonly stamp: EntryStamp;
  /** The folder it stands in. */
  readonly folder: BytePath;
  readonly entry: TreeEntry;
  /** As long as the stamp stays the same, so does the entry. */
  readonly isSettled: boolean;
  readonly hasSpecialBits: boolean;
}

/** The state of a folder between two records. Replaced whole, and only when everything is on disk. */
export interface FolderState {
  readonly entries: ReadonlyMap<BytePath, SeenEntry>;
  /** The git tree of each folder that has files in or below it. */
  readonly trees: ReadonlyMap<BytePath, string>;
  /** How the entries were listed the last time. */
  readonly listing: KnownListing;
  /** Null when it has to be created again. */
  readonly manifest: string | null;
  /** Folders that were left out, the largest first. */
  readonly away: readonly BytePath[];
  /** The folder as this process last saw it, independent of the state. */
  readonly looked: LookedFolders | null;
  /** Which state of the store this belongs to: after something was removed from it, what is named here may be gone. */
  readonly generation: string;
  /** The folder was recorded by this process, and nothing but its user changed it since. */
  readonly isComplete: boolean;
}

/** Two lists side by side. A line is empty where it proves nothing about the entry. */
export interface KnownListing {
  readonly lines: readonly ListedLine[];
  readonly paths: readonly BytePath[];
}

export const NO_LISTING: KnownListing = { lines: [], paths: [] };

function emptyState(generation: string): FolderState {
  return {
    entries: new Map(),
    trees: new Map(),
    listing: NO_LISTING,
    manifest: null,
    away: [],
    looked: null,
    generation,
    isComplete: false,
  };
}

/** The part of the state that the store still has. */
export function stillStored(state: FolderState, objects: ObjectStore, generation: string): FolderState {
  if (state.generation === generation) return state;
  const entries = [...state.entries].filter(([, { entry }]) => !('blob' in entry) || objects.has(entry.blob));
  return {
    ...emptyState(generation),
    entries: new Map(entries),
    away: state.away,
    looked: state.looked,
  };
}

/** The state of a folder into which a tree was just written. */
export function writtenState(objects: ObjectStore, { tree, whole }: KnownTree, written: WrittenWhen): FolderState {
  const entries = new Map<BytePath, SeenEntry>();
  for (const [path, entry] of whole) {
    const seen = seenOf(path, entry, written);
    if (seen !== null) entries.set(path, seen);
  }
  const { files, manifestId } = openTree(objects, tree);
  return {
    ...emptyState(written.generation),
    entries,
    trees: treesIn(objects, files),
    // It tells of things that are not there.
    manifest: entries.size === whole.size ? manifestId : null,
  };
}

export interface KnownTree {
  readonly tree: TreeId;
  /** Every folder included. */
  readonly whole: EntryMap;
}

export type WrittenWhen = Written & { readonly generation: string };

function seenOf(path: BytePath, entry: TreeEntry, { stamps, aloneUntilMs }: Written): SeenEntry | null {
  const stamp = entry.kind === 'folder' ? folderStamp(entry.mode) : stamps.get(path);
  if (stamp === undefined) return null;
  const settled = entry.kind === 'folder' || isSettled(stampParts(stamp), aloneUntilMs);
  return { stamp, folder: folderOf(path), entry, isSettled: settled, hasSpecialBits: false };
}

function treesIn(objects: ObjectStore, files: string): Map<BytePath, string> {
  const trees = new Map<BytePath, string>();
  const visit = (id: string, path: BytePath): void => {
    trees.set(path, id);
    for (const { mode, name, id: below } of objects.readTree(id)) {
      if (mode === '40000') visit(below, pathBelow(path, name));
    }
  };
  visit(files, '');
  return trees;
}

/**
 * What is remembered of a folder beyond the end of the process: the stamps of its files and the hashes of what is in them.
 * A hint only. Lost, damaged or of another folder it is as if there were none, and every file is read.
 */
async function readIndex(path: string, folder: string): Promise<FolderState> {
  try {
    const bytes = await readFile(path, 'latin1');
    const end = bytes.indexOf('\0');
    const body = bytes.slice(end + 1);
    const header = JSON.parse(Buffer.from(bytes.slice(0, end), 'latin1').toString('utf8')) as IndexHeader;
    if (header.format !== FORMAT || header.folder !== folder || header.checksum !== checksumOf(body)) return NOTHING;
    const lines = body === '' ? [] : body.split('\0');
    return { ...NOTHING, entries: new Map(lines.map(parseLine)), away: header.away };
  } catch {
    return NOTHING;
  }
}

interface IndexHeader {
  readonly format: number;
  readonly folder: string;
  readonly checksum: string;
  readonly away: readonly BytePath[];
}

const FORMAT = 1;
/** Belongs to no store: all it names is looked up before it is believed. */
const NOTHING: FolderState = emptyState('of no store');

function checksumOf(body: string): string {
  return hash('sha1', Buffer.from(body, 'latin1'));
}

function parseLine(line: string): [BytePath, SeenEntry] {
  const blobAt = line.indexOf('\t') + 1;
  const pathAt = line.indexOf('\t', blobAt) + 1;
  const [stamp, blob, path] = [line.slice(0, blobAt - 1), line.slice(blobAt, pathAt - 1), line.slice(pathAt)];
  const { kind, mode } = stampParts(stamp);
  const entry: TreeEntry = kind === 'link' ? { kind, blob } : { kind: 'file', mode: mode & 0o777, blob };
  const hasSpecialBits = kind === 'file' && (mode & 0o7000) !== 0;
  return [path, { stamp, folder: folderOf(path), entry, isSettled: true, hasSpecialBits }];
}

/** Not made durable: what is lost costs time only. */
async function writeIndex(path: string, folder: string, state: FolderState): Promise<void> {
  const lines: string[] = [];
  for (const [name, { stamp, entry, isSettled }] of state.entries) {
    if (isSettled && 'blob' in entry) lines.push(`${stamp}\t${entry.blob}\t${name}`);
  }
  const body = lines.join('\0');
  const header: IndexHeader = { format: FORMAT, folder, checksum: checksumOf(body), away: state.away };
  const start = Buffer.from(`${JSON.stringify(header)}\0`, 'utf8');
  await replaceFile(path, Buffer.concat([start, Buffer.from(body, 'latin1')])).catch(() => undefined);
}
