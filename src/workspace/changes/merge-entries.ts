import type { EntryMap, TreeEntry } from '../store/port.ts';
import {
  type BlobStore,
  type Conflict,
  type ConflictKind,
  isBinaryContent,
  MAX_COMPARED_BYTES,
  type Three,
  type ThreeEntries,
  toConflict,
} from './conflict.ts';
import {
  allPaths,
  blobOf,
  isSameEntry,
  modeOf,
  PLAIN_FOLDER,
  withAllFolders,
  withoutPlainFolders,
} from '../store/entries.ts';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BytePath, folderOf, isWithin } from '../byte-path.ts';
import { runGit } from '../git.ts';

/**
 * Merges whole trees path by path. The result is always a tree that *their* author can work in: lines both sides changed
 * stand in it between marks, and what can have no marks is as the author made it. Ours is safe, it is in its own tree;
 * the author's may be nowhere else.
 */
export async function mergeEntries(sides: MergeSides, blobs: BlobStore): Promise<MergedEntries> {
  const merge = new EntryMerge(sides, blobs);
  for (const path of allPaths(merge.base, merge.ours, merge.theirs)) await merge.add(path);
  await merge.settleFolders();
  return {
    entries: withoutPlainFolders(merge.merged),
    conflicts: [...merge.conflicts.values()].sort((a, b) => (a.path < b.path ? -1 : 1)),
    leftOut: merge.leftOut,
  };
}

interface MergeSides extends Three<EntryMap> {
  /** How the sides are called in the marks. */
  readonly labels: Three<string>;
}

export interface MergedEntries {
  readonly entries: EntryMap;
  readonly conflicts: readonly Conflict[];
  /** New on their side, and nothing a tree can hold: not merged. */
  readonly leftOut: readonly LeftOut[];
}

export interface LeftOut {
  readonly path: BytePath;
  readonly why: string;
}

class EntryMerge {
  readonly base: EntryMap;
  readonly ours: EntryMap;
  readonly theirs: EntryMap;
  readonly merged = new Map<BytePath, TreeEntry>();
  readonly conflicts = new Map<BytePath, Conflict>();
  readonly leftOut: LeftOut[] = [];
  readonly #labels: Three<string>;
  readonly #blobs: BlobStore;

  constructor(sides: MergeSides, blobs: BlobStore) {
    this.base = withAllFolders(sides.base);
    this.ours = withAllFolders(sides.ours);
    this.theirs = withAllFolders(sides.theirs);
    this.#labels = sides.labels;
    this.#blobs = blobs;
  }

  async add(path: BytePath): Promise<void> {
    const three = this.#at(path);
    const result = mergeEntry(three);
    switch (result.kind) {
      case 'take':
        return this.#put(path, result.entry);
      case 'leave-out':
        this.leftOut.push({ path, why: result.why });
        return undefined;
      case 'conflict':
        await this.#conflict(path, result.why);
        return this.#put(path, result.entry ?? three.theirs);
      case 'contents':
        return this.#addContents(path, result);
    }
  }

  /** A folder that one side removed stays while the other has something in it; what is not a folder cannot hold anything. */
  async settleFolders(): Promise<void> {
    for (const { path, kind } of this.conflicts.values()) if (kind === 'folder-file') this.#takeTheirs(path);
    for (const path of [...this.merged.keys()].sort()) {
      if (!this.merged.has(path)) continue;
      for (let above = folderOf(path); above !== ''; above = folderOf(above)) {
        const entry = this.merged.get(above);
        if (entry === undefined) this.merged.set(above, this.#folderAt(above));
        else if (entry.kind !== 'folder') await this.#settleFolderAgainstFile(above);
      }
    }
  }

  async #addContents(path: BytePath, result: Extract<MergedEntry, { kind: 'contents' }>): Promise<void> {
    const three = this.#at(path);
    const contents = await this.#contents(three);
    const merged = contents === null ? null : await mergeContent(contents, this.#labels);
    if (merged === null) {
      this.#put(path, three.theirs);
      return this.#conflict(path, 'binary');
    }
    const mode = result.mode ?? (three.theirs === null ? null : modeOf(three.theirs)) ?? 0o644;
    this.merged.set(path, { kind: 'file', mode, blob: await this.#blobs.addBlob(merged.bytes) });
    if (!merged.isClean) await this.#conflict(path, result.why);
    else if (result.mode === null) await this.#conflict(path, 'mode');
  }

  /** Null where one is too large to be looked into. */
  async #contents({ base, ours, theirs }: ThreeEntries): Promise<Three<Buffer> | null> {
    for (const entry of [base, ours, theirs]) {
      const blob = entry?.kind === 'file' ? blobOf(entry) : null;
      if (blob !== null && (await this.#blobs.sizeOf(blob)) > MAX_COMPARED_BYTES) return null;
    }
    const [first, second, third] = [await this.#read(base), await this.#read(ours), await this.#read(theirs)];
    return { base: first, ours: second, theirs: third };
  }

  async #settleFolderAgainstFile(above: BytePath): Promise<void> {
    if (!this.conflicts.has(above)) await this.#conflict(above, 'folder-file');
    this.#takeTheirs(above);
  }

  /** With all that is in it: what the author left as it was went with our file, and belongs to the folder none the less. */
  #takeTheirs(above: BytePath): void {
    for (const path of this.merged.keys()) if (isWithin(path, above)) this.merged.delete(path);
    for (const [path, entry] of this.theirs) if (isWithin(path, above)) this.merged.set(path, entry);
  }

  #folderAt(path: BytePath): TreeEntry {
    const known = [this.ours, this.theirs].map((side) => side.get(path));
    return known.find((entry) => entry?.kind === 'folder') ?? PLAIN_FOLDER;
  }

  async #conflict(path: BytePath, kind: ConflictKind): Promise<void> {
    this.conflicts.set(path, await toConflict(path, { kind, three: this.#at(path) }, this.#blobs));
  }

  async #read(entry: TreeEntry | null): Promise<Buffer> {
    const blob = entry?.kind === 'file' ? blobOf(entry) : null;
    return blob === null ? EMPTY : await this.#blobs.read(blob);
  }

  #put(path: BytePath, entry: TreeEntry | null): void {
    if (entry !== null) this.merged.set(path, entry);
  }

  #at(path: BytePath): ThreeEntries {
    return {
      base: this.base.get(path) ?? null,
      ours: this.ours.get(path) ?? null,
      theirs: this.theirs.get(path) ?? null,
    };
  }
}

const EMPTY = Buffer.alloc(0);

/**
 * Merges one path of two sides with a common base. If only one side changed it, that side counts. Content that no tree holds
 * is in no workspace made from a tree, so a side that lacks it has not deleted it.
 */
function mergeEntry({ base, ours, theirs }: ThreeEntries): MergedEntry {
  if (isSameEntry(ours, theirs) || isSameEntry(base, theirs)) return take(ours);
  const began = base?.kind === 'unkept' ? null : base;
  if (isSameEntry(began, theirs)) return take(ours);
  const unkept = mergeUnkept({ base: began, ours, theirs });
  if (unkept !== null) return unkept;
  if (isSameEntry(began, ours)) return take(theirs);
  if (ours === null || theirs === null) return mergeDeleted(ours, theirs);
  return mergePresent({ base: began, ours, theirs });
}

type MergedEntry =
  | { readonly kind: 'take'; readonly entry: TreeEntry | null }
  /** Both changed what is in the file. `mode` is null when they also disagree about the mode. */
  | { readonly kind: 'contents'; readonly mode: number | null; readonly why: 'content' | 'both-added' }
  /** `entry`: the part that can still be merged, as its author gets it. */
  | { readonly kind: 'conflict'; readonly why: ConflictKind; readonly entry?: TreeEntry }
  /** Something new that no tree can hold. */
  | { readonly kind: 'leave-out'; readonly why: string };

function mergeUnkept({ base, ours, theirs }: ThreeEntries): MergedEntry | null {
  if (theirs?.kind !== 'unkept') return ours?.kind === 'unkept' ? conflict('unkept') : null;
  if (ours?.kind === 'unkept') return take(ours);
  return base === null && ours === null ? { kind: 'leave-out', why: theirs.why } : conflict('unkept');
}

/** A folder's mode is nothing to keep it for; what is in it speaks for itself. */
function mergeDeleted(ours: TreeEntry | null, theirs: TreeEntry | null): MergedEntry {
  if ((ours ?? theirs)?.kind === 'folder') return take(null);
  return conflict(ours === null ? 'deleted-by-us' : 'deleted-by-them');
}

function mergePresent(three: ThreeEntries & { ours: TreeEntry; theirs: TreeEntry }): MergedEntry {
  const { base, ours, theirs } = three;
  const folders = [ours, theirs].filter(({ kind }) => kind === 'folder').length;
  if (ours.kind !== theirs.kind) return conflict(folders > 0 ? 'folder-file' : 'type');
  if (ours.kind === 'file' && theirs.kind === 'file') {
    return mergeFiles(base?.kind === 'file' ? base : null, ours, theirs);
  }
  // Each made the folder: whose it was first keeps its mode, and what is in it is merged.
  if (ours.kind === 'folder') return base?.kind === 'folder' ? conflict('mode') : take(ours);
  return conflict('link');
}

type FileEntry = Extract<TreeEntry, { kind: 'file' }>;

function mergeFiles(base: FileEntry | null, ours: FileEntry, theirs: FileEntry): MergedEntry {
  const blob = mergeValue(base?.blob, ours.blob, theirs.blob);
  const mode = mergeValue(base?.mode, ours.mode, theirs.mode);
  if (blob === null) return { kind: 'contents', mode, why: base === null ? 'both-added' : 'content' };
  if (mode !== null) return take({ kind: 'file', mode, blob });
  return { kind: 'conflict', why: 'mode', entry: { kind: 'file', mode: theirs.mode, blob } };
}

function mergeValue<T>(base: T | undefined, ours: T, theirs: T): T | null {
  if (ours === theirs || theirs === base) return ours;
  return ours === base ? theirs : null;
}

function take(entry: TreeEntry | null): MergedEntry {
  return { kind: 'take', entry };
}

function conflict(why: ConflictKind): MergedEntry {
  return { kind: 'conflict', why };
}

/** Merges the lines of a file. Null when it is not made of lines. Where both changed the same lines, marks show all three. */
async function mergeContent(sides: Three<Buffer>, labels: Three<string>): Promise<MergedContent | null> {
  const { base, ours, theirs } = sides;
  if ([base, ours, theirs].some((bytes) => isBinaryContent(bytes) || bytes.length > MAX_COMPARED_BYTES)) return null;
  const folder = await mkdtemp(join(tmpdir(), 'troupe-merge-'));
  try {
    await Promise.all(
      [ours, base, theirs].map((bytes, at) => writeFile(join(folder, FILES[at] ?? ''), bytes, { mode: 0o600 })),
    );
    const names = [labels.ours, labels.base, labels.theirs].flatMap((label) => ['-L', oneLine(label)]);
    const answer = await runGit(['merge-file', '-p', '--diff3', ...names, ...FILES], {
      cwd: folder,
      // No repository is looked for: nothing of one has a say here.
      env: { GIT_DIR: join(folder, 'none') },
    });
    // The exit code counts the conflicts; from 128 on it is an error.
    if (answer.exitCode === null || answer.exitCode > 127 || answer.isCut) return null;
    return { bytes: answer.output, isClean: answer.exitCode === 0 };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export interface MergedContent {
  readonly bytes: Buffer;
  readonly isClean: boolean;
}

const FILES = ['ours', 'base', 'theirs'];
const MAX_LABEL = 100;

function oneLine(label: string): string {
  return label.replaceAll(/\p{Cc}+/gu, ' ').slice(0, MAX_LABEL);
}
