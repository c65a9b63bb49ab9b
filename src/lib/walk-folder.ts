import type { HeldFolder, Name } from './held-folder.ts';

/**
 * Every entry below a held folder, depth first, in the order of the names' bytes. Links are reported, never followed.
 * An entry's `folder` is held only until the next one is asked for.
 */
export async function* walkFolder(start: HeldFolder, options: WalkOptions = {}): AsyncGenerator<WalkedEntry> {
  yield* walkBelow(start, { ...options, names: [] });
}

export interface WalkOptions {
  /** Entries with these names, and all below them, are left out. */
  readonly skip?: (name: Buffer, names: readonly Buffer[]) => boolean;
  readonly signal?: AbortSignal;
  readonly maxDepth?: number;
  /** Pass over folders that may not be opened, instead of failing. */
  readonly skipDenied?: boolean;
}

export interface WalkedEntry {
  readonly folder: HeldFolder;
  readonly name: Name;
  /** All names from the start on, the entry's own last. */
  readonly names: readonly Buffer[];
  readonly kind: 'file' | 'folder' | 'link' | 'special';
}

const MAX_DEPTH = 100;

async function* walkBelow(
  folder: HeldFolder,
  options: WalkOptions & { readonly names: readonly Buffer[] },
): AsyncGenerator<WalkedEntry> {
  for (const entry of await folder.entries()) {
    options.signal?.throwIfAborted();
    if (options.skip?.(entry.name, options.names) === true) continue;
    const names = [...options.names, entry.name];
    const kind = kindOf(entry);
    yield { folder, name: entry.name, names, kind };
    if (kind === 'folder' && names.length < (options.maxDepth ?? MAX_DEPTH)) {
      yield* walkChild(folder, { ...options, names });
    }
  }
}

async function* walkChild(
  folder: HeldFolder,
  options: WalkOptions & { readonly names: readonly Buffer[] },
): AsyncGenerator<WalkedEntry> {
  const child = await openIfThere(folder, options.names.at(-1) ?? '', options.skipDenied === true);
  if (child === null) return;
  try {
    yield* walkBelow(child, options);
  } finally {
    await child.close();
  }
}

/** What vanished or turned into a link since it was listed is not part of the tree. */
async function openIfThere(folder: HeldFolder, name: Name, skipDenied: boolean): Promise<HeldFolder | null> {
  try {
    return await folder.child(name);
  } catch (error) {
    const reason = error instanceof Error && 'reason' in error ? error.reason : null;
    if (reason === 'missing' || reason === 'link' || reason === 'not-a-folder') return null;
    if (reason === 'denied' && skipDenied) return null;
    throw error;
  }
}

interface Kinds {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

export function kindOf(entry: Kinds): WalkedEntry['kind'] {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'link' : 'special';
}
