import type { TreeId } from '../../core/model/ids.ts';
import type { BytePath } from '../byte-path.ts';
import type { EntryStamp } from './entry-stamp.ts';

/** True for what is neither recorded nor ever touched; what is left out of a folder is left out with all below it. */
export type LeaveOut = (path: BytePath, isFolder: boolean) => boolean;

export interface RecordOptions {
  /** A file for what is remembered of this folder from one time to the next. Lost or damaged it costs time, nothing else. */
  readonly index: string;
  readonly leaveOut: LeaveOut;
  /** The caller knows that nothing else changed since this store last recorded the folder. */
  readonly only?: readonly BytePath[];
  /** Files above this size are left out and reported. */
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
  readonly reports: readonly StoreReport[];
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

/** What was written into a folder that no other process knew before. */
export interface Written {
  readonly index: string;
  /** Of each file and link, taken when it was complete. */
  readonly stamps: ReadonlyMap<BytePath, EntryStamp>;
  /** Until then no other process could change anything in it. */
  readonly aloneUntilMs: number;
}

/** Modes are the nine permission bits. */
export type TreeEntry =
  | { readonly kind: 'file'; readonly mode: number; readonly blob: string }
  | { readonly kind: 'link'; readonly blob: string }
  | { readonly kind: 'folder'; readonly mode: number }
  /** Something is there whose content was not kept. Restoring leaves it alone. */
  | { readonly kind: 'unkept'; readonly why: Unkept };

/** The entry at each path. A store lists only folders that are empty or have a special mode. */
export type EntryMap = ReadonlyMap<BytePath, TreeEntry>;

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
