import { setImmediate } from 'node:timers/promises';
import { type BytePath, folderOf } from '../byte-path.ts';
import { isSameEntry } from './entries.ts';
import { FolderEditor } from './folder-editor.ts';
import type { ObjectStore } from './object-store.ts';
import type { EntryMap, LeaveOut, Restored, TreeEntry } from './tree-types.ts';

const FILES_AT_ONCE = 50;

/**
 * Makes a folder equal to a tree, touching only what differs: first away with what must go, then the folders from the top,
 * then the files, each whole under another name and renamed into its place, at last the modes of folders from the bottom.
 * Stopped anywhere, the same again does the rest.
 */
export async function restoreFolder(folder: string, plan: RestorePlan): Promise<Omit<Restored, 'before'>> {
  const editor = await FolderEditor.open(folder, plan);
  try {
    const work = workOf(plan);
    await openClosedFolders(editor, plan);
    const kept = await removeAll(editor, work.remove, plan);
    const isBlocked = (path: BytePath): boolean => kept.has(path) && plan.target.get(path)?.kind !== 'folder';
    for (const path of work.makeFolders) await editor.makeFolder(path);
    let written = 0;
    for (const path of work.write) {
      plan.signal?.throwIfAborted();
      const entry = plan.target.get(path);
      if (entry === undefined || isBlocked(path)) continue;
      await editor.write(path, entry, plan.objects);
      written += 1;
      // Writing never waits for anything by itself, and a server has others to answer meanwhile.
      if (written % FILES_AT_ONCE === 0) await setImmediate();
    }
    const modes = await setModes(editor, plan);
    return { written, removed: work.remove.length - kept.size, modes, kept: [...kept].sort() };
  } finally {
    await editor.close();
  }
}

export interface RestorePlan {
  readonly objects: ObjectStore;
  /** The present entries, with every folder. */
  readonly current: EntryMap;
  readonly target: EntryMap;
  /** Files that have a set-user-id bit or the like, which no tree keeps. */
  readonly specialBits: ReadonlySet<BytePath>;
  readonly leaveOut: LeaveOut;
  readonly durable: boolean;
  readonly signal?: AbortSignal | undefined;
}

interface Work {
  /** The content of a folder comes before the folder. */
  readonly remove: readonly BytePath[];
  /** From the top. */
  readonly makeFolders: readonly BytePath[];
  readonly write: readonly BytePath[];
}

function workOf({ current, target }: RestorePlan): Work {
  const remove = [...current].filter(([path, entry]) => mustGo(entry, target.get(path)));
  const missing = [...target].filter(([path, entry]) => mustCome(entry, current.get(path) ?? null));
  const isFolder = ([, { kind }]: readonly [BytePath, TreeEntry]): boolean => kind === 'folder';
  return {
    remove: pathsOf(remove).reverse(),
    makeFolders: pathsOf(missing.filter(isFolder)),
    write: pathsOf(missing.filter((one) => !isFolder(one))),
  };
}

function pathsOf(entries: readonly (readonly [BytePath, TreeEntry])[]): BytePath[] {
  return entries.map(([path]) => path).sort();
}

function mustCome(wanted: TreeEntry, there: TreeEntry | null): boolean {
  if (wanted.kind === 'unkept') return false;
  if (wanted.kind !== there?.kind) return true;
  return 'blob' in wanted && 'blob' in there && wanted.blob !== there.blob;
}

/** A file or link that only becomes another one is replaced where it stands. */
function mustGo(entry: TreeEntry, wanted: TreeEntry | undefined): boolean {
  if (wanted === undefined) return true;
  if (wanted.kind === 'unkept') return false;
  return (entry.kind === 'folder') !== (wanted.kind === 'folder') || entry.kind === 'unkept';
}

/** A folder its owner may not write to must be opened while something in it changes; its own mode comes back at the end. */
async function openClosedFolders(editor: FolderEditor, { current, target }: RestorePlan): Promise<void> {
  const touched = new Set<BytePath>();
  for (const [path, entry] of current) if (!isSameEntry(entry, target.get(path) ?? null)) touched.add(folderOf(path));
  for (const path of target.keys()) if (!current.has(path)) touched.add(folderOf(path));
  for (const path of [...touched].sort()) {
    const entry = current.get(path);
    if (entry?.kind === 'folder' && (entry.mode & 0o700) !== 0o700) await editor.setMode(path, entry.mode | 0o700);
  }
}

/** Resolves to what had to stay. */
async function removeAll(
  editor: FolderEditor,
  paths: readonly BytePath[],
  { current, target, signal }: RestorePlan,
): Promise<Set<BytePath>> {
  const kept = new Set<BytePath>();
  for (const path of paths) {
    signal?.throwIfAborted();
    const entry = current.get(path);
    if (entry === undefined) continue;
    // It is nowhere else: it stays, and gives way only to what has to stand there.
    if (hasOnlyCopy(entry)) kept.add(target.has(path) ? await editor.setAside(path) : path);
    else if (!(await editor.remove(path, entry))) kept.add(path);
  }
  return kept;
}

/** Work that no tree holds, because it is too large for the limit that was set. */
export function hasOnlyCopy(entry: TreeEntry | null): boolean {
  return entry?.kind === 'unkept' && entry.why === 'too-large';
}

/** From the bottom. Counts only what was there before with another mode. */
async function setModes(editor: FolderEditor, { current, target, specialBits }: RestorePlan): Promise<number> {
  let changed = 0;
  for (const [path, wanted] of [...target].sort(([a], [b]) => (a > b ? -1 : 1))) {
    const there = current.get(path) ?? null;
    if (!('mode' in wanted) || hasItsMode(wanted, there)) continue;
    const isOther = !mustCome(wanted, there) && !isSameEntry(wanted, there);
    if (isOther) changed += 1;
    if (isOther || editor.wasOpened(path) || specialBits.has(path)) await editor.setMode(path, wanted.mode);
  }
  return changed;
}

/** A file gets its mode when it is written. */
function hasItsMode(wanted: TreeEntry, there: TreeEntry | null): boolean {
  return wanted.kind === 'file' && mustCome(wanted, there);
}

/** Drops paths that are left out now, even if they were recorded before. */
export function withoutLeftOut(entries: EntryMap, leaveOut: LeaveOut): EntryMap {
  const kept = new Map<BytePath, TreeEntry>();
  const out = new Set<BytePath>();
  // A folder comes before what is in it.
  for (const [path, entry] of [...entries].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (out.has(folderOf(path)) || leaveOut(path, entry.kind === 'folder')) out.add(path);
    else kept.set(path, entry);
  }
  return kept;
}
