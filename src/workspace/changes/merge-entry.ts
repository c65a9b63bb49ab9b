import type { TreeEntry } from '../store/port.ts';
import type { ConflictKind, ThreeEntries } from './conflict.ts';
import { isSameEntry } from '../store/same-entry.ts';

/**
 * What becomes of one path when two sides went on from the same beginning. Whoever alone changed it is right. What no tree
 * holds is in no workspace that is made from one: that a side lacks it does not mean that somebody deleted it.
 */
export function mergeEntry({ base, ours, theirs }: ThreeEntries): MergedEntry {
  if (isSameEntry(ours, theirs) || isSameEntry(base, theirs)) return take(ours);
  const began = base?.kind === 'unkept' ? null : base;
  if (isSameEntry(began, theirs)) return take(ours);
  const unkept = mergeUnkept({ base: began, ours, theirs });
  if (unkept !== null) return unkept;
  if (isSameEntry(began, ours)) return take(theirs);
  if (ours === null || theirs === null) return mergeDeleted(ours, theirs);
  return mergePresent({ base: began, ours, theirs });
}

export type MergedEntry =
  | { readonly kind: 'take'; readonly entry: TreeEntry | null }
  /** Both changed what is in the file. `mode` is null when they also disagree about the mode. */
  | { readonly kind: 'contents'; readonly mode: number | null; readonly why: 'content' | 'both-added' }
  /** `entry`: what can be merged of it all the same, as its author gets it. */
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
