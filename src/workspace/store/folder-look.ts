import { type BigIntStats, lstatSync, readdirSync, statfsSync } from 'node:fs';
import { isSettled, stampOf } from './entry-stamp.ts';
import { entryIn, isPlainName, QuickPath } from './held-path.ts';
import { isEntered, type ListedLine, listingLine, type ListingOptions } from './walk-listing.ts';
import { setImmediate as turn } from 'node:timers/promises';
import { type BytePath, pathBelow } from '../byte-path.ts';

/** The entries last seen in each folder. Only a hint: all of them are checked again. */
export type LookedFolders = Map<BytePath, LookedFolder>;

interface LookedFolder extends Identity {
  readonly entries: LookedEntry[];
}

interface LookedEntry extends Identity {
  readonly name: BytePath;
  readonly path: BytePath;
  readonly line: ListedLine;
  readonly isFolder: boolean;
  readonly isPlain: boolean;
}

/** Tells an entry from all others, and from itself after a change: nothing outside the kernel sets a change time back. */
type Identity = Pick<BigIntStats, 'ino' | 'ctimeNs' | 'dev'>;

/** A folder that is to be listed, as it was just before. */
interface FolderPlace {
  readonly path: BytePath;
  readonly stats: Identity;
}

/**
 * One look at a folder with all below it. Names are read by descriptor, so that no link is followed, and only where a folder is
 * not the same as the last time. Files are looked at by their path, in half the time: where somebody puts a link in the way,
 * the stamps match nothing that is known, and whatever is read is read by descriptor. Of folders, which are not read, a look
 * by path counts only if it shows the same one as before.
 */
class FolderLook {
  readonly lines: ListedLine[] = [];
  readonly #quick: QuickPath;
  readonly #options: FolderLookOptions;
  readonly #seen: LookedFolders = new Map();
  readonly #lookedAtMs = Date.now();
  readonly #root: BigIntStats;
  readonly #isTrusted: boolean;

  constructor(quick: QuickPath, options: FolderLookOptions) {
    this.#quick = quick;
    this.#options = options;
    this.#root = lstatSync(`${quick.at('')}.`, { bigint: true });
    this.#isTrusted = options.looked.size > 0 && KNOWN_DISKS.has(statfsSync(options.folder).type);
  }

  get root(): FolderPlace {
    return { path: '', stats: this.#root };
  }

  /** Lists what is in a folder, and says which folders in it are to be listed next. */
  list(place: FolderPlace): FolderPlace[] {
    const known = this.#options.looked.get(place.path);
    const isSame = known !== undefined && this.#isTrusted && place.stats.dev === this.#root.dev;
    const again = isSame && isSameOne(known, place.stats) ? this.#again(place, known.entries) : null;
    return again ?? this.#readNew(place);
  }

  /** Forgets folders that are gone. */
  finish(): void {
    this.#options.looked.clear();
    for (const [path, folder] of this.#seen) this.#options.looked.set(path, folder);
  }

  /** Null when something is gone: then the folder is not the same any more. */
  #again({ path, stats }: FolderPlace, entries: LookedEntry[]): FolderPlace[] | null {
    const [folders, start]: [FolderPlace[], number] = [[], this.lines.length];
    const prefix = this.#prefix(path);
    let at = 0;
    for (const known of entries) {
      const now = lstatSync(known.isPlain ? prefix + known.name : entryIn(prefix, known.name), LOOK);
      const isSame = now !== undefined && isSameOne(known, now);
      const found = isSame ? known : this.#lookAt({ path, prefix }, known.name);
      if (found === null) {
        this.lines.length = start;
        return null;
      }
      if (!isSame) entries[at] = found;
      this.#take(found, folders);
      at += 1;
    }
    this.#seen.set(path, { ...identityOf(stats), entries });
    return folders;
  }

  #readNew({ path, stats }: FolderPlace): FolderPlace[] {
    const folders: FolderPlace[] = [];
    const entries: LookedEntry[] = [];
    const place = { path, prefix: this.#prefix(path) };
    for (const name of readdirSync(this.#quick.at(path), 'latin1')) {
      const entry = this.#lookAt(place, name);
      // Gone since the folder was read.
      if (entry === null) continue;
      entries.push(entry);
      this.#take(entry, folders);
    }
    const changedMs = Number(stats.ctimeNs / 1_000_000n);
    const isSure = isSettled({ changedMs, isCoarse: stats.ctimeNs % 1_000_000_000n === 0n }, this.#lookedAtMs);
    this.#seen.set(path, { ...identityOf(stats), ...(isSure ? {} : { ctimeNs: NEVER }), entries });
    return folders;
  }

  #lookAt(folder: { readonly path: BytePath; readonly prefix: string }, name: BytePath): LookedEntry | null {
    const byPath = lstatSync(entryIn(folder.prefix, name), LOOK);
    const isSimple = byPath !== undefined && !byPath.isDirectory();
    const stats = isSimple ? byPath : lstatSync(entryIn(this.#quick.at(folder.path), name), LOOK);
    if (stats === undefined) return null;
    const path = pathBelow(folder.path, name);
    const { ino, ctimeNs, dev } = stats;
    const line = listingLine(stampOf(stats), path);
    return {
      name,
      path,
      line,
      isFolder: !isSimple && stats.isDirectory(),
      isPlain: isPlainName(name),
      ino,
      ctimeNs,
      dev,
    };
  }

  #take(entry: LookedEntry, folders: FolderPlace[]): void {
    this.lines.push(entry.line);
    if (entry.isFolder && isEntered(entry.path, this.#options)) folders.push({ path: entry.path, stats: entry });
  }

  #prefix(path: BytePath): string {
    const { folder } = this.#options;
    if (path === '') return `${folder}/`;
    return isPlainName(path) ? `${folder}/${path}/` : this.#quick.at(path);
  }
}

export interface FolderLookOptions extends ListingOptions {
  readonly folder: string;
  /** The result of the last look, replaced by this one at its end. */
  readonly looked: LookedFolders;
}

const LOOK = { bigint: true, throwIfNoEntry: false } as const;
/** A folder that was changed a moment ago: another change might not show. */
const NEVER = -1n;

/** Disks of which it is known that a folder's change time moves with every name that comes or goes: see statfs(2). */
const KNOWN_DISKS: ReadonlySet<number> = new Set([
  0xef53, // ext4
  0x01021994, // tmpfs
  0x58465342, // XFS
  0x9123683e, // Btrfs
  0x794c7630, // overlayfs
  0x2fc12fc1, // ZFS
  0xf2f52010, // F2FS
]);

function isSameOne(known: Identity, now: Identity): boolean {
  return known.ino === now.ino && known.ctimeNs === now.ctimeNs && known.dev === now.dev;
}

function identityOf({ ino, ctimeNs, dev }: Identity): Identity {
  return { ino, ctimeNs, dev };
}

/**
 * Lists a folder in this process, by descriptor and without waiting for each call: no program has to be started. Null when
 * something is not simple; other ways tell what it is.
 */
export async function quickListing(folder: string, options: QuickOptions): Promise<readonly ListedLine[] | null> {
  const quick = QuickPath.open(folder);
  if (quick === null) return null;
  let nextTurn = LINES_PER_TURN;
  try {
    const look = new FolderLook(quick, { ...options, folder, looked: options.looked ?? new Map() });
    const folders: FolderPlace[] = [look.root];
    for (let place = folders.pop(); place !== undefined; place = folders.pop()) {
      folders.push(...look.list(place).reverse());
      if (look.lines.length < nextTurn) continue;
      nextTurn = look.lines.length + LINES_PER_TURN;
      await turn();
      options.signal?.throwIfAborted();
    }
    look.finish();
    return look.lines;
  } catch {
    options.signal?.throwIfAborted();
    return null;
  } finally {
    quick.close();
  }
}

export interface QuickOptions extends ListingOptions {
  /** What the last listing saw; kept up to date. */
  readonly looked?: LookedFolders | null;
}

const LINES_PER_TURN = 2000;
