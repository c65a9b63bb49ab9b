import { readlink } from 'node:fs/promises';
import { Fault } from '../core/fault.ts';
import { shownPath } from '../lib/confined-path.ts';
import { isPartialName } from '../lib/held-file.ts';
import { HeldFolder } from '../lib/held-folder.ts';
import { walkFolder } from '../lib/walk-folder.ts';
import type { WalkedEntry } from '../lib/walk-folder.ts';
import type { BytePath } from './byte-path.ts';
import { toBytePath } from './byte-path.ts';
import { contentHash, stampOf } from './copy-entry.ts';
import type { CopiedEntry } from './copy-entry.ts';
import { ignoredPaths } from './ignored-paths.ts';
import type { Manifest } from './manifest.ts';
import { readManifest } from './manifest.ts';
import { isControlName } from './project-files.ts';
import { runPlace } from './run-place.ts';

/** What a run's folder holds now against what it held at the start, as paths people can read. */
export async function changedFiles(options: ChangedFilesOptions): Promise<ChangedFiles> {
  const { added, modified, deleted } = await comparePaths(options);
  return { added: added.map(shownBytes), modified: modified.map(shownBytes), deleted: deleted.map(shownBytes) };
}

export interface ChangedFilesOptions {
  readonly home: string;
  readonly run: string;
}

export interface ChangedFiles {
  readonly added: readonly string[];
  readonly modified: readonly string[];
  readonly deleted: readonly string[];
}

export function shownBytes(path: BytePath): string {
  return shownPath(Buffer.from(path, 'latin1'));
}

/**
 * The same with exact paths. What git would ignore, installed packages and what steers programs (`.git`, `.troupe`) does
 * not count as added: it is no result.
 */
export async function comparePaths(options: ChangedFilesOptions): Promise<Record<keyof ChangedFiles, BytePath[]>> {
  const place = runPlace(options.home, options.run);
  const manifest = await readManifest(place.manifest);
  const isIgnored = manifest.source === 'git' ? await ignoredPaths(place) : () => false;
  const root = await openWork(place.work);
  const changes: Record<keyof ChangedFiles, BytePath[]> = { added: [], modified: [], deleted: [] };
  const missing = new Set(manifest.entries.keys());
  try {
    for await (const entry of walkFolder(root, { skip: leftOut(manifest), tolerant: true })) {
      const path = toBytePath(entry.names);
      missing.delete(path);
      const change = await changeOf(entry, manifest.entries.get(path), () => isIgnored(path));
      if (change !== null) changes[change].push(path);
    }
  } finally {
    await root.close();
  }
  changes.deleted.push(...missing);
  for (const list of Object.values(changes)) list.sort();
  return changes;
}

async function openWork(work: string): Promise<HeldFolder> {
  try {
    return await HeldFolder.open(work);
  } catch (error) {
    throw new Fault('RUN_FOLDER_MISSING', `The files of the run are gone: ${work}.`, { cause: error });
  }
}

function leftOut(manifest: Manifest): (name: Buffer) => boolean {
  const hasPackages = [...manifest.entries.keys()].some((path) => path.split('/').includes('node_modules'));
  return (name) => {
    const text = name.toString('latin1');
    return isControlName(name) || isPartialName(text) || (text === 'node_modules' && !hasPackages);
  };
}

type Change = 'added' | 'modified' | 'deleted';

async function changeOf(
  entry: WalkedEntry,
  before: CopiedEntry | undefined,
  isIgnored: () => boolean,
): Promise<Change | null> {
  const isResult = entry.kind === 'file' || entry.kind === 'link';
  if (before === undefined) return isResult && !isIgnored() ? 'added' : null;
  if (!isResult) return 'deleted';
  return (await isChanged(entry, before)) ? 'modified' : null;
}

async function isChanged({ folder, name, kind }: WalkedEntry, before: CopiedEntry): Promise<boolean> {
  if (kind !== before.kind) return true;
  if (before.kind === 'link') {
    return (await readlink(folder.at(name), { encoding: 'buffer' })).toString('latin1') !== before.target;
  }
  const stats = folder.lookNow(name);
  if (stats === null || Number(stats.mode & 0o777n) !== before.mode) return true;
  return stampOf(stats) !== before.stamp && (await contentHash(folder, name)) !== before.sha256;
}
