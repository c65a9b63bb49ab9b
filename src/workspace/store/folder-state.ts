import type { BytePath } from '../byte-path.ts';
import type { EntryStamp } from './entry-stamp.ts';
import type { LookedFolders } from './folder-look.ts';
import type { ListingPlan } from './listing-plan.ts';
import type { ObjectStore } from './object-store.ts';
import type { TreeEntry } from './port.ts';
import type { ListedLine } from './walk-listing.ts';

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

/** What is remembered of a folder from one record to the next. Replaced whole, and only when everything is on the disk. */
export interface FolderState {
  readonly entries: ReadonlyMap<BytePath, SeenEntry>;
  /** The git tree of each folder that has files in or below it. */
  readonly trees: ReadonlyMap<BytePath, string>;
  /** How the entries were listed the last time. */
  readonly listing: KnownListing;
  /** Null when it has to be made anew. */
  readonly manifest: string | null;
  readonly plan: ListingPlan | null;
  /** Folders that were left out, the largest first. */
  readonly away: readonly BytePath[];
  /** What this process saw when it last looked; not of any state, but of the folder itself. */
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

export function emptyState(generation: string): FolderState {
  return {
    entries: new Map(),
    trees: new Map(),
    listing: NO_LISTING,
    manifest: null,
    plan: null,
    away: [],
    looked: null,
    generation,
    isComplete: false,
  };
}

/** What of it the store still has. */
export function stillStored(state: FolderState, objects: ObjectStore, generation: string): FolderState {
  if (state.generation === generation) return state;
  const entries = [...state.entries].filter(([, { entry }]) => !('blob' in entry) || objects.has(entry.blob));
  return {
    ...emptyState(generation),
    entries: new Map(entries),
    plan: state.plan,
    away: state.away,
    looked: state.looked,
  };
}
