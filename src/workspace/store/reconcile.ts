import {
  type EntryStamp,
  isSettled,
  isTooDeep,
  stampParts,
  type StampParts,
  UNREADABLE_FOLDER,
} from './entry-stamp.ts';
import { type FolderState, type KnownListing, NO_LISTING, type SeenEntry } from './remembered-folders.ts';
import { isGitName } from './git-object.ts';
import type { LeaveOut, StoreReport, Unkept } from './tree-types.ts';
import { type ListedLine, type ListingOptions, splitLine, walkEntry } from './walk-listing.ts';
import { type BytePath, nameIn, foldersAbove, folderOf } from '../byte-path.ts';
import { HeldPath } from './held-path.ts';

/**
 * Compares the listing with the remembered one and gives the differences. Usually there are very few, and a folder is listed
 * in the same order each time: so a line is first compared with the one at the same position before.
 */
export function reconcile(lines: readonly ListedLine[], options: ReconcileOptions): Reconciled {
  const work = new Reconciling(options);
  for (const line of lines) work.take(line);
  return work.result();
}

interface ReconcileOptions {
  readonly known: ReadonlyMap<BytePath, SeenEntry>;
  readonly listing: KnownListing;
  readonly leaveOut: LeaveOut;
  readonly maxFileBytes: number;
  readonly lookedAtMs: number;
}

export interface Reconciled {
  /** Folders and things not kept that are new or another than before. */
  readonly changed: ReadonlyMap<BytePath, SeenEntry>;
  /** Files and links that are new or may have changed. */
  readonly toRead: readonly ToRead[];
  /** Were known and are no more. */
  readonly gone: readonly BytePath[];
  /** Names that are git's, and special files that are left out. */
  readonly reports: readonly StoreReport[];
  /** Folders left out, the largest first. */
  readonly away: readonly BytePath[];
  /** For the next time. */
  readonly listing: { readonly lines: ListedLine[]; readonly paths: BytePath[] };
}

export interface ToRead {
  readonly path: BytePath;
  readonly folder: BytePath;
  readonly kind: 'file' | 'link';
  readonly size: number;
  /** As it was listed. */
  readonly stamp: EntryStamp;
}

class Reconciling {
  readonly #options: ReconcileOptions;
  readonly #changed = new Map<BytePath, SeenEntry>();
  readonly #toRead: ToRead[] = [];
  readonly #reports: StoreReport[] = [];
  readonly #away = new Map<BytePath, number>();
  readonly #lines: ListedLine[] = [];
  readonly #paths: BytePath[] = [];
  #knownAgain = 0;
  /** The place in the listing of the last time at which the next line is expected. */
  #expected = 0;
  #places: ReadonlyMap<BytePath, number> | undefined;
  /** All below this folder is passed over: a folder stands before what is in it. */
  #passOver = '';

  constructor(options: ReconcileOptions) {
    this.#options = options;
  }

  take(line: ListedLine): void {
    const { listing } = this.#options;
    const isSame = listing.lines[this.#expected] === line;
    const path = (isSame ? listing.paths[this.#expected] : undefined) ?? splitLine(line).path;
    if (this.#isOut(path, line)) return;
    if (isSame) {
      this.#expected += 1;
      this.#knownAgain += 1;
    } else this.#takeOther(path, splitLine(line).stamp);
    this.#lines.push(line);
    this.#paths.push(path);
  }

  result(): Reconciled {
    return {
      changed: this.#changed,
      toRead: this.#toRead,
      gone: this.#gone(),
      reports: this.#reports,
      away: [...this.#away].sort(([, a], [, b]) => b - a).map(([path]) => path),
      listing: { lines: this.#lines, paths: this.#paths },
    };
  }

  #isOut(path: BytePath, line: ListedLine): boolean {
    if (this.#isPassedOver(path)) return true;
    const isFolder = line.startsWith('d') || line.startsWith(UNREADABLE_FOLDER);
    if (this.#isGits(path)) return true;
    if (!this.#options.leaveOut(path, isFolder)) return false;
    // Git does not list them, so that a rule which goes by its list leaves them out unseen.
    if (!isFolder && isSpecial(line)) this.#reports.push({ path, why: 'special' });
    if (isFolder) {
      this.#passOver = `${path}/`;
      this.#away.set(path, 0);
    }
    return true;
  }

  #isPassedOver(path: BytePath): boolean {
    if (this.#passOver === '' || !path.startsWith(this.#passOver)) return false;
    const folder = this.#passOver.slice(0, -1);
    const count = this.#away.get(folder);
    if (count !== undefined) this.#away.set(folder, count + 1);
    return true;
  }

  #isGits(path: BytePath): boolean {
    // What is known was looked at before.
    if (this.#options.listing.paths[this.#expected] === path) return false;
    const name = nameIn(path);
    if (!isGitName(name)) return false;
    if (name !== '.git') this.#reports.push({ path, why: 'git-name' });
    this.#passOver = `${path}/`;
    return true;
  }

  #takeOther(path: BytePath, stamp: EntryStamp): void {
    const known = this.#options.known.get(path);
    if (known !== undefined) {
      this.#knownAgain += 1;
      this.#expectAfter(path);
    }
    if (known === undefined || !known.isSettled || known.stamp !== stamp) this.#takeNew(path, stamp);
  }

  #expectAfter(path: BytePath): void {
    const { paths } = this.#options.listing;
    if (paths[this.#expected] !== path) {
      this.#places ??= new Map(paths.map((one, place) => [one, place]));
      this.#expected = this.#places.get(path) ?? this.#expected - 1;
    }
    this.#expected += 1;
  }

  #takeNew(path: BytePath, stamp: EntryStamp): void {
    const parts = stampParts(stamp);
    const why = stamp === UNREADABLE_FOLDER ? 'unreadable' : this.#whyUnkept(path, parts);
    const folder = folderOf(path);
    if (why === null && parts.kind !== 'folder') {
      const kind = parts.kind === 'link' ? 'link' : 'file';
      this.#toRead.push({ path, folder, kind, size: parts.size, stamp });
      return;
    }
    if (why === 'too-deep') this.#passOver = `${path}/`;
    const entry: SeenEntry['entry'] =
      why === null ? { kind: 'folder', mode: parts.mode & 0o777 } : { kind: 'unkept', why };
    // The limit for sizes may be another the next time, and a folder that was closed may be open.
    const isSure = why === null || (why === 'special' && isSettled(parts, this.#options.lookedAtMs));
    this.#changed.set(path, { stamp, folder, entry, isSettled: isSure, hasSpecialBits: false });
  }

  #whyUnkept(path: BytePath, { kind, size }: StampParts): Unkept | null {
    if (kind === 'folder') return isTooDeep(path) ? 'too-deep' : null;
    if (kind === 'file' && size > this.#options.maxFileBytes) return 'too-large';
    return kind === 'special' ? 'special' : null;
  }

  #gone(): readonly BytePath[] {
    const { known } = this.#options;
    if (this.#knownAgain === known.size) return [];
    const there = new Set(this.#paths);
    return [...known.keys()].filter((path) => !there.has(path));
  }
}

function isSpecial(line: ListedLine): boolean {
  return stampParts(splitLine(line).stamp).kind === 'special';
}

/** Looks at the given paths and all below them; the rest is taken from memory. */
export async function listOnly(folder: string, state: FolderState, options: ListOnlyOptions): Promise<Reconciled> {
  const places = await affectedPlaces(folder, options.only, state.entries);
  const lines = await listPlaces(folder, places, options);
  const found = reconcile(lines, { ...options, known: knownAt(state.entries, places), listing: NO_LISTING });
  return { ...found, away: state.away, listing: { lines: [], paths: [] } };
}

export type ListOnlyOptions = ListingOptions &
  Omit<ReconcileOptions, 'known' | 'listing'> & { readonly only: readonly BytePath[] };

/**
 * The topmost changed place on the way to each path: a folder that came or went with the path counts as changed itself.
 * `reconcile` skips what is left out.
 */
async function affectedPlaces(
  folder: string,
  only: readonly BytePath[],
  known: ReadonlyMap<BytePath, SeenEntry>,
): Promise<readonly BytePath[]> {
  const held = await HeldPath.open(folder);
  const places = new Set<BytePath>();
  try {
    for (const path of [...only].sort()) places.add(await topmostChange(held, path, known));
  } finally {
    await held.close();
  }
  return [...places].filter((path) => !foldersAbove(path).some((above) => places.has(above)));
}

async function topmostChange(
  held: HeldPath,
  path: BytePath,
  known: ReadonlyMap<BytePath, SeenEntry>,
): Promise<BytePath> {
  for (const above of foldersAbove(path).toReversed()) {
    const wasFolder = known.get(above)?.entry.kind === 'folder';
    if (!wasFolder || (await held.find(above)) === null) return above;
  }
  return path;
}

function knownAt(
  entries: ReadonlyMap<BytePath, SeenEntry>,
  places: readonly BytePath[],
): ReadonlyMap<BytePath, SeenEntry> {
  const exact = new Set(places);
  const isAt = (path: BytePath): boolean => exact.has(path) || foldersAbove(path).some((above) => exact.has(above));
  return new Map([...entries].filter(([path]) => isAt(path)));
}

async function listPlaces(
  folder: string,
  places: readonly BytePath[],
  options: ListingOptions,
): Promise<readonly ListedLine[]> {
  const held = await HeldPath.open(folder);
  try {
    const lines: ListedLine[] = [];
    for (const path of [...places].sort()) {
      if (foldersAbove(path).some((above) => options.leaveOut(above, true))) continue;
      const above = await held.find(folderOf(path));
      if (above !== null) lines.push(...(await walkEntry(above, path, options)));
    }
    return lines;
  } finally {
    await held.close();
  }
}
