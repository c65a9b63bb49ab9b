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
    for (const path of paths) await copy.add(path);
    return { entries: copy.entries, skipped: copy.skipped };
  } catch (error) {
    throw error instanceof PathRefused ? unreadable(options.from, error) : error;
  } finally {
    await copy.close();
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

class TreeCopy {
  readonly entries = new Map<BytePath, CopiedEntry>();
  readonly skipped: { path: BytePath; why: string }[] = [];
  readonly #options: CopyOptions;
  #bytes = 0;
  /** The pair of folders of the last path; the next path is mostly in the same. */
  #held: { readonly folder: BytePath; readonly from: HeldFolder; readonly to: HeldFolder } | null = null;

  constructor(options: CopyOptions) {
    this.#options = options;
  }

  async add(path: BytePath): Promise<void> {
    const place = await this.#place(path);
    const stats = place === null ? null : await place.from.look(place.name);
    // Known to git, and removed by the user: not part of the project any more.
    if (place === null || stats === null) return;
    if (stats.isDirectory()) await this.#addFolder(place);
    else if (stats.isSymbolicLink()) await this.#addLink(place, path);
    else if (stats.isFile()) await this.#addFile(place, path);
    else this.skipped.push({ path, why: 'special file' });
  }

  async close(): Promise<void> {
    const held = this.#held;
    this.#held = null;
    await Promise.all([held?.from.close(), held?.to.close()]);
  }

  async #addFolder(place: CopyPlace): Promise<void> {
    const made = await place.to.child(place.name, { create: true });
    await made.close();
  }

  async #addLink(place: CopyPlace, path: BytePath): Promise<void> {
    const copied = await copyLink(place, path);
    if (copied === null) this.skipped.push({ path, why: 'a link that leads out of the project' });
    else this.entries.set(path, copied);
  }

  async #addFile(place: CopyPlace, path: BytePath): Promise<void> {
    const { maxFiles, maxBytes } = this.#options.limits;
    if (this.entries.size >= maxFiles) throw this.#tooLarge();
    const copied = await copyFile(place, maxBytes - this.#bytes);
    if (copied === 'too-large') throw this.#tooLarge();
    if (copied.kind === 'file') this.#bytes += copied.size;
    this.entries.set(path, copied);
  }

  async #place(path: BytePath): Promise<CopyPlace | null> {
    const name = toNames(path).at(-1) ?? Buffer.alloc(0);
    const folder = folderOf(path);
    if (this.#held?.folder !== folder) {
      await this.close();
      this.#held = await this.#hold(folder);
    }
    return this.#held === null ? null : { from: this.#held.from, to: this.#held.to, name };
  }

  async #hold(folder: BytePath) {
    const names = folder === '' ? [] : toNames(folder);
    const from = await holdFolder({ root: this.#options.from, names }).catch((error: unknown) => {
      if (error instanceof PathRefused && error.reason !== 'denied') return null;
      throw error;
    });
    if (from === null) return null;
    const to = await holdFolder({ root: this.#options.to, names, create: true });
    return { folder, from, to };
  }

  #tooLarge(): Fault {
    const { maxFiles, maxBytes } = this.#options.limits;
    const limit = `${maxFiles} files and ${Math.floor(maxBytes / 1024 ** 2)} MB`;
    return new Fault('PROJECT_TOO_LARGE', `The project in ${this.#options.from} is larger than ${limit}.`, {
      hint: 'Let git ignore what agents do not need, or start Troupe in a smaller folder.',
      facts: { maxFiles, maxBytes },
    });
  }
}
