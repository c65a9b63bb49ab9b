import type { TreeId } from '../../core/ids.ts';
import type { BytePath } from '../byte-path.ts';
import type { EntryStamp } from './entry-stamp.ts';

/**
 * Keeps exact pictures of folders. A picture ("tree") is named by one hash over every byte, mode, link and empty folder, so
 * equal files have equal names. Nothing in the folder steers how it is recorded: no filter, attribute, hook or nested
 * repository gets a say, since no program but this one reads it.
 */
export interface TreeStore {
  /** A git directory without a work tree: git can read all that is in it. */
  readonly gitDir: string;
  /** When it resolves, everything the tree names is on the disk. */
  record(folder: string, options: RecordOptions): Promise<RecordedTree>;
  /** Makes the folder equal to the tree. What was there is recorded first, so this can be undone. Stopped halfway, the same again finishes it. */
  restore(tree: TreeId, folder: string, options: RestoreOptions): Promise<Restored>;
  /** Spares the first record of a folder that was just made from a tree the reading of what is known. A hint: what is another there is seen. */
  remember(tree: TreeId, folder: string, written: Written): Promise<void>;
  /** Every file, link and thing that was not kept, and the folders that are empty or have a mode of their own. */
  entries(tree: TreeId): Promise<ReadonlyMap<BytePath, TreeEntry>>;
  /** In the order of the paths' bytes. */
  compare(before: TreeId, after: TreeId): Promise<readonly TreeChange[]>;
  /** The bytes of a file, or the target of a link. */
  read(blob: string): Promise<Buffer>;
  /** The same piece by piece where it is large; null where it is not, and is to be read whole. */
  large(blob: string): AsyncIterable<Buffer> | null;
  sizeOf(blob: string): Promise<number>;
  /** The same at once, for what does not have to be unpacked; valid until the next one is asked for. */
  peek(blob: string): Buffer | null;
  /** A tree of blobs that are in the store already. Missing folders on the way get the mode 0755. */
  write(entries: ReadonlyMap<BytePath, TreeEntry>): Promise<TreeId>;
  /** Durable as soon as a tree that names it has been written. */
  addBlob(bytes: Buffer): Promise<string>;
  /** Whether the tree is here with all that belongs to it. */
  has(tree: TreeId): Promise<boolean>;
  /** Removes what belongs to no kept tree and was recorded long enough ago; never what is younger than an hour. */
  prune(keep: Iterable<TreeId>, options: PruneOptions): Promise<Pruned>;
  /** Removes a tree that nothing names, with all that no other tree has. For content that must not stay on the disk. */
  forget(tree: TreeId): Promise<void>;
  size(): Promise<StoreSize>;
  /** Waits for what is still being written; the store is not used afterwards. */
  close(): Promise<void>;
}

/** True for what is neither recorded nor ever touched; what is left out of a folder is left out with all below it. */
export type LeaveOut = (path: BytePath, isFolder: boolean) => boolean;

export interface RecordOptions {
  /** A file for what is remembered of this folder from one time to the next. Lost or damaged it costs time, nothing else. */
  readonly index: string;
  readonly leaveOut: LeaveOut;
  /** The caller knows that nothing else changed since this store last recorded the folder. */
  readonly only?: readonly BytePath[];
  /** Files above this size are not kept, and told. */
  readonly maxFileBytes?: number;
  /** Gets to know what is there before anything of it is read and kept; what it throws ends the record. */
  readonly survey?: (size: FolderSize) => void;
  readonly signal?: AbortSignal;
}

export interface FolderSize {
  /** Links and special files among them. */
  readonly files: number;
  readonly bytes: number;
}

export interface RecordedTree {
  readonly tree: TreeId;
  /** Files, links and folders. */
  readonly entries: number;
  /** How many files and links had to be read. */
  readonly read: number;
  readonly told: readonly StoreReport[];
}

/** Something about an entry that the tree does not keep. */
export interface StoreReport {
  readonly path: BytePath;
  readonly why: Unkept | 'special-bits' | 'git-name';
}

/** Why the content of an entry is not in the tree: neither file, folder nor link; over the limit; not to be opened; 200 folders deep. */
export type Unkept = 'special' | 'too-large' | 'unreadable' | 'too-deep';

export type RestoreOptions = Omit<RecordOptions, 'only'> & {
  /** The content of each file is on the disk before the file takes its place. On unless said otherwise; off for folders that can be made again. */
  readonly durable?: boolean;
};

export interface Restored {
  /** What the folder held before. */
  readonly before: TreeId;
  readonly written: number;
  readonly removed: number;
  /** Only their mode was changed. */
  readonly modes: number;
  /** Stayed although the tree has something else there: it holds what is left out, what is not kept, or a `.git`. */
  readonly kept: readonly BytePath[];
}

/** What somebody wrote into a folder that nobody else knew before. */
export interface Written {
  readonly index: string;
  /** Of each file and link, taken when it was complete. */
  readonly stamps: ReadonlyMap<BytePath, EntryStamp>;
  /** Until then nobody else could change anything in it. */
  readonly aloneUntilMs: number;
}

/** Modes are the nine permission bits. */
export type TreeEntry =
  | { readonly kind: 'file'; readonly mode: number; readonly blob: string }
  | { readonly kind: 'link'; readonly blob: string }
  | { readonly kind: 'folder'; readonly mode: number }
  /** Something is there whose content was not kept. Restoring leaves it alone. */
  | { readonly kind: 'unkept'; readonly why: Unkept };

export interface TreeChange {
  readonly path: BytePath;
  readonly before: TreeEntry | null;
  readonly after: TreeEntry | null;
}

export interface PruneOptions {
  readonly olderThanMs: number;
}

export interface Pruned {
  readonly removedObjects: number;
  readonly freedBytes: number;
}

export interface StoreSize {
  readonly objects: number;
  readonly bytes: number;
}
