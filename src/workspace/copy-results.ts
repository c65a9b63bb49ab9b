import { randomBytes } from 'node:crypto';
import { readlink, rename, unlink } from 'node:fs/promises';
import { makeFolder } from '../lib/make-folder.ts';
import { PathRefused } from '../lib/confined-path.ts';
import { holdFolder } from '../lib/held-folder.ts';
import { kindOf } from '../lib/walk-folder.ts';
import type { BytePath } from './byte-path.ts';
import { folderOf, toNames } from './byte-path.ts';
import { comparePaths, shownBytes } from './changed-files.ts';
import { contentHash, copyFile, copyLink } from './copy-entry.ts';
import type { CopyPlace } from './copy-entry.ts';
import { runPlace } from './run-place.ts';

/** Copies what a run added and modified into a folder of the user. A file that is there and differs stays, unless `overwrite` is set. */
export async function copyResults(options: CopyResultsOptions): Promise<CopiedResults> {
  const { added, modified, deleted } = await comparePaths(options);
  makeFolder(options.to);
  const results: CopiedResults = { written: [], same: [], refused: [], deleted: deleted.map(shownBytes) };
  for (const path of [...added, ...modified].sort()) {
    const shown = shownBytes(path);
    try {
      const isWritten = await withPlace(path, options, (place) => bring(place, path, options.overwrite === true));
      (isWritten ? results.written : results.same).push(shown);
    } catch (error) {
      if (!(error instanceof PathRefused)) throw error;
      results.refused.push({ path: shown, why: error.message });
    }
  }
  return results;
}

export interface CopyResultsOptions {
  readonly home: string;
  readonly run: string;
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

async function withPlace<T>(
  path: BytePath,
  options: CopyResultsOptions,
  use: (place: CopyPlace) => Promise<T>,
): Promise<T> {
  const folder = folderOf(path);
  const names = folder === '' ? [] : toNames(folder);
  const from = await holdFolder({ root: runPlace(options.home, options.run).work, names });
  try {
    const to = await holdFolder({ root: options.to, names, create: true });
    try {
      return await use({ from, to, name: toNames(path).at(-1) ?? Buffer.alloc(0) });
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
}

/** Whole or not at all: beside the target, then renamed over it. */
async function bring(place: CopyPlace, path: BytePath, overwrite: boolean): Promise<boolean> {
  const there = await compareTarget(place);
  if (there === 'same') return false;
  if (there === 'differs' && !overwrite) {
    throw new PathRefused('denied', shownBytes(path), 'is there already with other content.');
  }
  const as = Buffer.from(`.${randomBytes(9).toString('base64url')}.partial~`);
  try {
    await copyEntry({ ...place, as }, path);
    await rename(place.to.at(as), place.to.at(place.name));
    return true;
  } catch (error) {
    await unlink(place.to.at(as)).catch(() => undefined);
    throw error;
  }
}

async function copyEntry(place: CopyPlace, path: BytePath): Promise<void> {
  const isLink = (await place.from.look(place.name))?.isSymbolicLink() === true;
  if (!isLink) await copyFile(place, Infinity);
  else if ((await copyLink(place, path)) === null) {
    throw new PathRefused('link', shownBytes(path), 'is a symbolic link that leads out of the folder.');
  }
}

async function compareTarget(place: CopyPlace): Promise<'absent' | 'same' | 'differs'> {
  const [source, target] = await Promise.all([place.from.look(place.name), place.to.look(place.name)]);
  if (target === null || source === null) return 'absent';
  if (target.isDirectory()) throw new PathRefused('is-a-folder', place.to.labelOf(place.name), 'is a folder there.');
  const kind = kindOf(source);
  if (kind !== kindOf(target)) return 'differs';
  return kind === 'link' ? compareLinks(place) : compareContents(place, source.mode === target.mode);
}

async function compareContents(place: CopyPlace, isSameMode: boolean): Promise<'same' | 'differs'> {
  return isSameMode && (await contentHash(place.from, place.name)) === (await contentHash(place.to, place.name))
    ? 'same'
    : 'differs';
}

async function compareLinks({ from, to, name }: CopyPlace): Promise<'same' | 'differs'> {
  const [ours, theirs] = await Promise.all([from, to].map((folder) => readlink(folder.at(name), { encoding: 'hex' })));
  return ours === theirs ? 'same' : 'differs';
}
