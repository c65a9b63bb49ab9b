import { lstatSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TreeId } from '../../core/ids.ts';
import type { BytePath, WrittenPath } from '../byte-path.ts';
import { folderOf, fromWritten, toWritten } from '../byte-path.ts';
import { foldersAbove } from '../ignore/frozen-rules.ts';
import type { LeaveOut, TreeStore } from '../store/port.ts';
import { isFolderAt, listedIn, wholePath } from './foreign-paths.ts';
import type { MadeParts } from './made-parts.ts';

/**
 * What a setup command made in one workspace: it belongs to the workspace and not to what the run makes, so snapshots leave it
 * out as they do what git ignores. What others put into a folder that setup made is theirs, save where the folder is one for
 * dependencies. A path that a tree holds all the same is no longer setup's: the tree's content counts.
 */
export class MadePaths {
  readonly #mark: string;
  /** Files, and folders with all that is ever in them. */
  #whole: ReadonlySet<BytePath> = new Set();
  /** Folders in which others may make something of their own. */
  #open: ReadonlySet<BytePath> = new Set();
  #stamps: Readonly<Record<BytePath, string>> = {};
  /** What the tree in the workspace has at or below them, and the folders that lead there. */
  #held: ReadonlySet<BytePath> = new Set();
  #leading: ReadonlySet<BytePath> = new Set();
  /** Open folders with something in them that is not setup's. */
  #used: ReadonlySet<BytePath> = new Set();
  #rules: LeaveOut = () => false;

  private constructor(kept: string) {
    this.#mark = join(kept, SETUP_MARK);
  }

  static async of({ kept }: { readonly kept: string }): Promise<MadePaths> {
    const made = new MadePaths(kept);
    await made.reload();
    return made;
  }

  /** A workspace that was made anew has none. */
  async reload(): Promise<void> {
    const text = await readFile(this.#mark, 'utf8').catch(() => null);
    this.#take(text === null ? NOTHING : markIn(text));
  }

  /** From now on the workspace counts as set up. */
  async keep(command: string, { whole, open }: MadeParts, folder: string): Promise<void> {
    const files = whole.filter((path) => !isFolderAt(folder, path));
    const stamps = Object.fromEntries(files.map((path) => [path, stampAt(folder, path)]));
    const mark: Mark = { command, made: whole.map(toWritten), open: open.map(toWritten), stamps };
    this.#take(mark);
    await writeFile(this.#mark, `${JSON.stringify(mark)}\n`);
  }

  #take({ made, open = [], stamps = {} }: Mark): void {
    this.#whole = new Set(made.map(fromWritten));
    this.#open = new Set(open.map(fromWritten).toSorted());
    this.#stamps = stamps;
  }

  /** To be done before the workspace is made equal to the tree. */
  async mind(store: TreeStore, tree: TreeId): Promise<void> {
    if (this.#whole.size + this.#open.size === 0) return;
    const entries = await store.entries(tree);
    const held = [...entries.keys()].filter((path) => this.#covers(path) || this.#isInOpen(path));
    this.#held = new Set(held);
    this.#leading = new Set(held.flatMap(foldersAbove));
    this.#used = new Set([...this.#used, ...this.#leading]);
  }

  /** To be done before files are recorded or put back; where only some may have changed, they are named. */
  async look(folder: string, only: readonly BytePath[] | null = null): Promise<void> {
    if (this.#open.size === 0 || (only !== null && !only.some((path) => this.#isInOpen(path)))) return;
    const used = new Set<BytePath>();
    for (const path of this.#openIn(folder)) {
      const entries = await listedIn(folder, path).catch(() => []);
      if (!entries.some((entry) => this.#isOthers(entry.path, entry.isFolder))) continue;
      for (const one of [path, ...foldersAbove(path)]) used.add(one);
    }
    this.#used = used;
  }

  /** Those that are still folders; nothing is looked for behind a link that took the place of one. */
  #openIn(folder: string): ReadonlySet<BytePath> {
    const there = new Set<BytePath>();
    // A folder comes before what is in it.
    for (const path of this.#open) {
      const above = folderOf(path);
      const isReached = there.has(above) || !this.#open.has(above);
      if (isReached && isFolderAt(folder, path)) there.add(path);
    }
    return there;
  }

  #isOthers(path: BytePath, isFolder: boolean): boolean {
    if (this.#whole.has(path)) return this.#held.has(path) || this.#leading.has(path);
    return !(isFolder && this.#open.has(path)) && !this.#rules(path, isFolder);
  }

  /** The run's rules, and what setup made. */
  leaveOut(rules: LeaveOut): LeaveOut {
    this.#rules = rules;
    return (path, isFolder) => rules(path, isFolder) || this.#isLeftOut(path, isFolder);
  }

  #isLeftOut(path: BytePath, isFolder: boolean): boolean {
    if (isFolder && this.#open.has(path)) return !this.#used.has(path) && !this.#isHeldEmpty(path);
    if (this.#whole.size === 0 || !this.#covers(path)) return false;
    return !this.#held.has(path) && !(isFolder && this.#leading.has(path));
  }

  #isHeldEmpty(path: BytePath): boolean {
    return this.#held.has(path) && !this.#leading.has(path);
  }

  /** Files of setup's that others have written since: they are in no snapshot, and stay where they are. */
  written(folder: string): readonly BytePath[] {
    return Object.entries(this.#stamps).flatMap(([path, stamp]) => {
      const now = stampAt(folder, path);
      return now === '' || now === stamp || this.#held.has(path) ? [] : [path];
    });
  }

  #covers(path: BytePath): boolean {
    return this.#whole.has(path) || foldersAbove(path).some((above) => this.#whole.has(above));
  }

  #isInOpen(path: BytePath): boolean {
    return this.#open.has(path) || foldersAbove(path).some((above) => this.#open.has(above));
  }
}

/** Tells that a workspace has been set up, and what that made. Goes with the workspace. */
export const SETUP_MARK = 'setup-done';

interface Mark {
  readonly command: string;
  /** Once folders stood here as well, with all that is ever in them. */
  readonly made: readonly WrittenPath[];
  readonly open?: readonly WrittenPath[];
  /** Of the files among `made`, by their bytes. */
  readonly stamps?: Readonly<Record<BytePath, string>>;
}

const NOTHING: Mark = { command: '', made: [] };

/** Once the command alone stood there, and nothing but what the rules leave out was kept. */
function markIn(text: string): Mark {
  try {
    const mark = JSON.parse(text) as Mark;
    return Array.isArray(mark.made) ? mark : NOTHING;
  } catch {
    return NOTHING;
  }
}

/** Tells whether a file was written; empty where there is none. */
function stampAt(folder: string, path: BytePath): string {
  const stats = lstatSync(wholePath(folder, path), { throwIfNoEntry: false, bigint: true });
  return stats === undefined ? '' : `${stats.mode} ${stats.size} ${stats.mtimeNs}`;
}
