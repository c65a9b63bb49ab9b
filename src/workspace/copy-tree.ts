import { setImmediate as turn } from 'node:timers/promises';
import { Fault } from '../core/fault.ts';
import { PathRefused } from '../lib/confined-path.ts';
import { holdFolder } from '../lib/held-folder.ts';
import type { HeldFolder } from '../lib/held-folder.ts';
import type { BytePath } from './byte-path.ts';
import { folderOf, toNames } from './byte-path.ts';
import { copyFile, copyLink } from './copy-entry.ts';
import type { CopiedEntry, CopyPlace } from './copy-entry.ts';
import type { Manifest } from './manifest.ts';
import { unreadable } from './project-files.ts';

/** Copies the paths of one tree into an empty folder, no link followed on either side. */
export async function copyTree(paths: readonly BytePath[], options: CopyOptions): Promise<Omit<Manifest, 'source'>> {
  const copy = new TreeCopy(options);
  try {
    for (const [folder, inside] of Map.groupBy(paths, folderOf)) await copy.addAll(folder, inside);
    return { entries: copy.entries, skipped: copy.skipped };
  } catch (error) {
    throw error instanceof PathRefused ? unreadable(options.from, error) : error;
  }
}

export interface CopyOptions {
  readonly from: string;
  readonly to: string;
  readonly limits: CopyLimits;
}

export interface CopyLimits {
  readonly maxFiles: number;
  readonly maxBytes: number;
}

const FILES_PER_TURN = 20;

class TreeCopy {
  readonly entries = new Map<BytePath, CopiedEntry>();
  readonly skipped: { path: BytePath; why: string }[] = [];
  readonly #options: CopyOptions;
  #bytes = 0;

  constructor(options: CopyOptions) {
    this.#options = options;
  }

  /** All paths of one folder, which is held on both sides meanwhile. */
  async addAll(folder: BytePath, paths: readonly BytePath[]): Promise<void> {
    const names = folder === '' ? [] : toNames(folder);
    const from = await holdSource(this.#options.from, names);
    if (from === null) return;
    try {
      const to = await holdFolder({ root: this.#options.to, names, create: true });
      try {
        await this.#addInParts(paths, { from, to });
      } finally {
        await to.close();
      }
    } finally {
      await from.close();
    }
  }

  async #addInParts(paths: readonly BytePath[], pair: Omit<CopyPlace, 'name'>): Promise<void> {
    for (const [at, path] of paths.entries()) {
      // Copying small files does not wait for anything, so others get their turn now and then.
      if (at % FILES_PER_TURN === 0) await turn();
      await this.#add(path, { ...pair, name: toNames(path).at(-1) ?? Buffer.alloc(0) });
    }
  }

  async #add(path: BytePath, place: CopyPlace): Promise<void> {
    const stats = place.from.lookNow(place.name);
    // Known to git, and removed by the user: not part of the project any more.
    if (stats === null) return;
    if (stats.isDirectory()) await (await place.to.child(place.name, { create: true })).close();
    else if (stats.isSymbolicLink()) await this.#addLink(path, place);
    else if (stats.isFile()) await this.#addFile(path, place, Number(stats.size));
    else this.skipped.push({ path, why: 'special file' });
  }

  async #addLink(path: BytePath, place: CopyPlace): Promise<void> {
    const copied = await copyLink(place, path);
    if (copied === null) this.skipped.push({ path, why: 'a link that leads out of the project' });
    else this.entries.set(path, copied);
  }

  async #addFile(path: BytePath, place: CopyPlace, size: number): Promise<void> {
    const { maxFiles, maxBytes } = this.#options.limits;
    this.#bytes += size;
    if (this.entries.size >= maxFiles || this.#bytes > maxBytes) throw tooLarge(this.#options);
    const copied = await copyFile(place, maxBytes);
    if (copied === 'too-large') throw tooLarge(this.#options);
    this.entries.set(path, copied);
  }
}

/** Null when the folder is gone or became a link since it was listed. */
async function holdSource(root: string, names: readonly Buffer[]): Promise<HeldFolder | null> {
  try {
    return await holdFolder({ root, names });
  } catch (error) {
    if (error instanceof PathRefused && error.reason !== 'denied') return null;
    throw error;
  }
}

function tooLarge({ from, limits }: CopyOptions): Fault {
  const allowed = `${limits.maxFiles} files and ${Math.floor(limits.maxBytes / 1024 ** 2)} MB`;
  return new Fault('PROJECT_TOO_LARGE', `The project in ${from} is larger than ${allowed}.`, {
    hint: 'Let git ignore what agents do not need, or start Troupe in a smaller folder.',
    facts: { ...limits },
  });
}
