import { constants, existsSync, lstatSync, type BigIntStats, type Dirent, type Stats } from 'node:fs';
import { lstat, mkdir, open, readdir, type FileHandle } from 'node:fs/promises';
import { PathRefused } from './confined-path.ts';

/** A file's name: text, or bytes where the disk holds what is not UTF-8. */
export type Name = string | Buffer;

/**
 * A folder held open, from which one can only go down. Each hop opens the next folder through the descriptor of the one
 * before (`/proc/self/fd/N/name`, no link followed), so replacing a folder by a link meanwhile has no effect. On a system
 * without `/proc/self/fd` (macOS) every hop is checked with lstat before and after opening; that finds every existing link,
 * but a swap in exactly the right microsecond could still win.
 */
export class HeldFolder {
  readonly #handle: FileHandle;
  readonly #path: Buffer;
  readonly #method: WalkMethod;
  /** Relative to the start of the walk; for messages. */
  readonly label: string;

  private constructor(
    handle: FileHandle,
    path: Buffer,
    place: { readonly label: string; readonly method: WalkMethod },
  ) {
    this.#handle = handle;
    this.#path = path;
    this.label = place.label;
    this.#method = place.method;
  }

  /** The starting point is chosen by its owner, so links on the way to it are followed. */
  static async open(path: string, method: WalkMethod = DEFAULT_METHOD): Promise<HeldFolder> {
    const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
    return new HeldFolder(handle, basePath(handle, Buffer.from(path), method), { label: '', method });
  }

  /** A path to an entry, for calls that do not follow a link in the last place. */
  at(name: Name): Buffer {
    const bytes = Buffer.from(name);
    if (bytes.length === 0 || bytes.includes('/') || bytes.equals(DOT) || bytes.equals(DOT_DOT)) {
      throw new PathRefused('parent', name.toString(), 'is not the name of an entry.');
    }
    return Buffer.concat([this.#path, SLASH, bytes]);
  }

  /** The name of an entry in messages. */
  labelOf(name: Name): string {
    const own = typeof name === 'string' ? name : name.toString('utf8');
    return this.label === '' ? own : `${this.label}/${own}`;
  }

  async child(name: Name, options: { readonly create?: boolean } = {}): Promise<HeldFolder> {
    const path = this.at(name);
    if (options.create === true) await makeFolder(path);
    const label = this.labelOf(name);
    const handle = await openNext(path, { label, method: this.#method });
    return new HeldFolder(handle, basePath(handle, path, this.#method), { label, method: this.#method });
  }

  /** The entry itself, never what a link points to; null when there is none. */
  async look(name: Name): Promise<Stats | null> {
    try {
      return await lstat(this.at(name));
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return null;
      throw refusal(error, this.labelOf(name));
    }
  }

  /** The same synchronously, and exact; for many entries, where awaiting each call would take most of the time. */
  lookNow(name: Name): BigIntStats | null {
    return lstatSync(this.at(name), { bigint: true, throwIfNoEntry: false }) ?? null;
  }

  /** In the order of their bytes, so that two walks agree. */
  async entries(): Promise<readonly Dirent<Buffer>[]> {
    const found = await readdir(this.#path, { withFileTypes: true, encoding: 'buffer' });
    return found.sort((a, b) => Buffer.compare(a.name, b.name));
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}

export type WalkMethod = 'descriptor' | 'lstat';

const DEFAULT_METHOD: WalkMethod = existsSync('/proc/self/fd') ? 'descriptor' : 'lstat';
const SLASH = Buffer.from('/');
const DOT = Buffer.from('.');
const DOT_DOT = Buffer.from('..');

/** Walks down from `root` and holds the last folder while `use` works in it. */
export async function withFolder<T>(walk: Walk, use: (folder: HeldFolder) => Promise<T>): Promise<T> {
  const folder = await holdFolder(walk);
  try {
    return await use(folder);
  } finally {
    await folder.close();
  }
}

/** Walks down from `root`; the caller closes what it gets. */
export async function holdFolder(walk: Walk): Promise<HeldFolder> {
  let folder = await HeldFolder.open(walk.root, walk.method);
  for (const name of walk.names) {
    const above = folder;
    try {
      folder = await above.child(name, { create: walk.create === true });
    } finally {
      await above.close();
    }
  }
  return folder;
}

export interface Walk {
  readonly root: string;
  readonly names: readonly Name[];
  /** Make the folders that are missing on the way. */
  readonly create?: boolean;
  readonly method?: WalkMethod;
}

function basePath(handle: FileHandle, path: Buffer, method: WalkMethod): Buffer {
  return method === 'descriptor' ? Buffer.from(`/proc/self/fd/${handle.fd}`) : path;
}

async function makeFolder(path: Buffer): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

async function openNext(path: Buffer, place: { readonly label: string; readonly method: WalkMethod }) {
  const refuse = (error: unknown): never => {
    throw refusal(error, place.label);
  };
  const before = place.method === 'lstat' ? await lstat(path).catch(refuse) : null;
  const handle = await openFolder(path, place.label);
  if (before === null) return handle;
  const [held, after] = await Promise.all([handle.stat(), lstat(path)]);
  if (isSame(before, held) && isSame(after, held)) return handle;
  await handle.close();
  throw new PathRefused('moved', place.label, 'was exchanged while it was being opened.');
}

async function openFolder(path: Buffer, label: string): Promise<FileHandle> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch (error) {
    const isLink = await lstat(path).then(
      (stats) => stats.isSymbolicLink(),
      () => false,
    );
    throw isLink ? new PathRefused('link', label, 'is a symbolic link, which is not followed.') : refusal(error, label);
  }
}

function isSame(a: Stats, b: Stats): boolean {
  return a.ino === b.ino && a.dev === b.dev;
}

/** The system's error as text; unexpected errors are returned unchanged. */
export function refusal(error: unknown, label: string): unknown {
  const known = SYSTEM_REASONS[errorCode(error)];
  return known === undefined ? error : new PathRefused(known[0], label, known[1]);
}

const SYSTEM_REASONS: Record<string, readonly [PathRefused['reason'], string]> = {
  ENOENT: ['missing', 'does not exist.'],
  ENOTDIR: ['not-a-folder', 'is not a folder.'],
  EISDIR: ['is-a-folder', 'is a folder.'],
  ELOOP: ['link', 'is a symbolic link, which is not followed.'],
  ENAMETOOLONG: ['too-long', 'has a name that is too long for this disk.'],
  EACCES: ['denied', 'may not be opened: permission denied.'],
  EPERM: ['denied', 'may not be opened: permission denied.'],
  ENXIO: ['special', 'is not a regular file.'],
};

export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
