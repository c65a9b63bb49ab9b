import type { BytePath } from '../byte-path.ts';
import { folderOf, isWithin } from '../byte-path.ts';
import type { TreeEntry } from '../store/port.ts';
import type { BlobStore, Conflict, ConflictKind, ThreeEntries } from './conflict.ts';
import { MAX_COMPARED_BYTES, toConflict } from './conflict.ts';
import type { EntryMap } from './entry-map.ts';
import { allPaths, PLAIN_FOLDER, withAllFolders, withoutPlainFolders } from './entry-map.ts';
import { blobOf, modeOf } from '../store/same-entry.ts';
import type { ContentSides, MergeLabels } from './merge-content.ts';
import { mergeContent } from './merge-content.ts';
import type { MergedEntry } from './merge-entry.ts';
import { mergeEntry } from './merge-entry.ts';

/**
 * Merges whole trees path by path. The result is always a tree that *their* author can work in: lines both sides changed
 * stand in it between marks, and what can have no marks is as the author made it. Ours is safe, it is in a tree of its own;
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

export interface MergeSides {
  readonly base: EntryMap;
  readonly ours: EntryMap;
  readonly theirs: EntryMap;
  readonly labels: MergeLabels;
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
  readonly #labels: MergeLabels;
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

  /** A folder that one side removed stays while the other has something in it; what is no folder cannot hold anything. */
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
  async #contents({ base, ours, theirs }: ThreeEntries): Promise<ContentSides | null> {
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
