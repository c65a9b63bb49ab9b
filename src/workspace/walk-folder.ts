import { PathRefused } from '../lib/confined-path.ts';
import type { HeldFolder, Name } from '../lib/held-folder.ts';

/**
 * Every entry below a held folder, depth first, in the order of the names' bytes. Links are reported, never followed. An
 * entry's `folder` is held only until the next entry is requested.
 */
export async function* walkFolder(start: HeldFolder, options: WalkOptions = {}): AsyncGenerator<WalkedEntry> {
  yield* walkBelow(start, { ...options, names: [] });
}

export interface WalkOptions {
  /** Entries with these names, and all below them, are left out. */
  readonly skip?: (name: Buffer, names: readonly Buffer[]) => boolean;
  readonly signal?: AbortSignal;
  /** Pass over folders that may not be opened or lie too deep, instead of failing. */
  readonly tolerant?: boolean;
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
    if (kind === 'folder') yield* walkChild(folder, { ...options, names });
  }
}

async function* walkChild(
  folder: HeldFolder,
  options: WalkOptions & { readonly names: readonly Buffer[] },
): AsyncGenerator<WalkedEntry> {
  if (options.names.length >= MAX_DEPTH) {
    if (options.tolerant === true) return;
    throw new PathRefused('too-long', folder.label, `lies more than ${MAX_DEPTH} folders deep.`);
  }
  const child = await openIfThere(folder, options.names.at(-1) ?? '', options.tolerant === true);
  if (child === null) return;
  try {
    yield* walkBelow(child, options);
  } finally {
    await child.close();
  }
}

/** An entry that vanished or became a link since it was listed is not part of the tree. */
async function openIfThere(folder: HeldFolder, name: Name, tolerant: boolean): Promise<HeldFolder | null> {
  try {
    return await folder.child(name);
  } catch (error) {
    const reason = error instanceof PathRefused ? error.reason : null;
    if (reason === 'missing' || reason === 'link' || reason === 'not-a-folder') return null;
    if (reason === 'denied' && tolerant) return null;
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
