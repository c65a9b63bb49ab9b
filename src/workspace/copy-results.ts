import { randomBytes } from 'node:crypto';
import { rename, symlink, unlink } from 'node:fs/promises';
import type { TreeId } from '../core/model/ids.ts';
import { PathRefused } from '../lib/confined-path.ts';
import { withFolder, type HeldFolder } from '../lib/held-folder.ts';
import { makeFolder } from '../lib/make-folder.ts';
import { type BytePath, lastName, shownBytes, folderOf, toNames, staysInside } from './byte-path.ts';
import { isSameEntry } from './store/entries.ts';
import { pathState } from './changes/check-step.ts';
import { isEngineName } from './ignore/frozen-rules.ts';
import type { TreeChange, TreeEntry, TreeStore } from './store/port.ts';
import { piecesOf, writePieces } from './store/pieces.ts';

/**
 * Copies what a run added and modified into a folder of the user. A file that is there and differs stays, unless `overwrite`
 * is set. Taken from the store, so it works when the workspace is gone.
 */
export async function copyResults(options: CopyResultsOptions): Promise<CopiedResults> {
  const changes = await options.store.compare(options.before, options.after);
  makeFolder(options.to);
  const deleted = changes.filter(isDeleted).map(({ path }) => shownBytes(path));
  const results: CopiedResults = { written: [], same: [], refused: [], deleted };
  for (const { path, after } of changes) {
    if (!isResult(after) || path.split('/').some(isEngineName)) continue;
    try {
      const isWritten = await bring({ path, entry: after }, options);
      (isWritten ? results.written : results.same).push(shownBytes(path));
    } catch (error) {
      if (!(error instanceof PathRefused)) throw error;
      results.refused.push({ path: shownBytes(path), why: error.message });
    }
  }
  return results;
}

export interface CopyResultsOptions {
  readonly store: TreeStore;
  /** What the run began with. */
  readonly before: TreeId;
  readonly after: TreeId;
  readonly to: string;
  readonly overwrite?: boolean;
}

export interface CopiedResults {
  readonly written: string[];
  /** Were there already, byte for byte. */
  readonly same: string[];
  readonly refused: { readonly path: string; readonly why: string }[];
  /** Deleted by the run; nothing is deleted in the target. */
  readonly deleted: readonly string[];
}

type Result = Extract<TreeEntry, { kind: 'file' | 'link' }>;

interface Item {
  readonly path: BytePath;
  readonly entry: Result;
}

function isResult(entry: TreeEntry | null): entry is Result {
  return entry?.kind === 'file' || entry?.kind === 'link';
}

function isDeleted({ before, after }: TreeChange): boolean {
  return isResult(before) && !isResult(after) && after?.kind !== 'unkept';
}

async function bring(item: Item, { store, to, overwrite }: CopyResultsOptions): Promise<boolean> {
  const { path, entry } = item;
  if (entry.kind === 'link' && !staysInside(path, (await store.read(entry.blob)).toString('latin1'))) {
    throw new PathRefused('link', shownBytes(path), 'is a symbolic link that leads out of the folder.');
  }
  const above = folderOf(path);
  const names = above === '' ? [] : toNames(above);
  return await withFolder({ root: to, names, create: true }, async (folder) => {
    const there = await compareTarget(folder, item);
    if (there === 'same') return false;
    if (there === 'differs' && overwrite !== true) {
      throw new PathRefused('denied', shownBytes(path), 'is there already with other content.');
    }
    await replace(folder, item, store);
    return true;
  });
}

async function compareTarget(folder: HeldFolder, { path, entry }: Item): Promise<'absent' | 'same' | 'differs'> {
  const { entry: there } = await pathState(folder, lastName(path));
  if (there?.kind === 'folder') throw new PathRefused('is-a-folder', shownBytes(path), 'is a folder there.');
  if (there === null) return 'absent';
  return isSameEntry(there, entry) ? 'same' : 'differs';
}

/** Whole or not at all: beside the target, then renamed over it. */
async function replace(folder: HeldFolder, { path, entry }: Item, store: TreeStore): Promise<void> {
  const partial = folder.at(`.${randomBytes(9).toString('base64url')}.partial~`);
  try {
    if (entry.kind === 'link') await symlink(await store.read(entry.blob), partial);
    else await writePieces(partial, piecesOf(store, entry.blob), { mode: entry.mode, durable: false });
    await rename(partial, folder.at(lastName(path)));
  } catch (error) {
    await unlink(partial).catch(() => undefined);
    throw error;
  }
}
