import { lstatSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TreeId } from '../../core/model/ids.ts';
import {
  type BytePath,
  type WrittenPath,
  nameIn,
  pathBelow,
  foldersAbove,
  diskPath,
  pathText,
  folderOf,
  toWritten,
  fromWritten,
} from '../byte-path.ts';
import { isEngineName } from '../ignore/frozen-rules.ts';
import type { EntryMap, LeaveOut, TreeStore } from '../store/port.ts';
import { parseObject } from '../../core/model/json.ts';

/**
 * What a setup command made in one workspace. It is no work of the run, so snapshots leave it out like ignored files. Files
 * that others put into a folder made by setup count as theirs, except in folders for dependencies. A path that a tree holds
 * is no longer setup's: the tree's content counts.
 */
export class MadePaths {
  readonly #mark: string;
  /** Files, and folders with all that is ever in them. */
  #whole: ReadonlySet<BytePath> = new Set();
  /** Folders in which others may put their own files. */
  #open: ReadonlySet<BytePath> = new Set();
  #stamps: Readonly<Record<BytePath, string>> = {};
  /** Paths of the workspace's tree at or below them, with their parent folders. */
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

  /** A workspace that was created again has none. */
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
  const mark = parseObject(text) as Mark | null;
  return Array.isArray(mark?.made) ? mark : NOTHING;
}

/** Tells whether a file was written; empty where there is none. */
function stampAt(folder: string, path: BytePath): string {
  const stats = lstatSync(diskPath(folder, path), { throwIfNoEntry: false, bigint: true });
  return stats === undefined ? '' : `${stats.mode} ${stats.size} ${stats.mtimeNs}`;
}

/**
 * The topmost paths of a folder that a tree knows nothing of, such as installed packages; none of the engine's own names. A
 * folder without a file in it does not count: files put there later would be lost.
 */
export async function foreignPaths(folder: string, known: ReadonlySet<BytePath>): Promise<readonly BytePath[]> {
  const found: BytePath[] = [];
  const walk = async (below: BytePath): Promise<void> => {
    for (const { path, isFolder } of await listedIn(folder, below)) {
      if (isEngineName(path)) continue;
      if (known.has(path)) {
        if (isFolder) await walk(path);
      } else if (!isFolder || (await hasFiles(folder, path))) found.push(path);
    }
  };
  await walk('');
  return found;
}

/** All that the tree has, the folders above its entries among it. */
export function knownPaths(entries: EntryMap): ReadonlySet<BytePath> {
  const known = new Set<BytePath>(entries.keys());
  for (const path of entries.keys()) for (const above of foldersAbove(path)) known.add(above);
  return known;
}

interface Listed {
  readonly path: BytePath;
  readonly isFolder: boolean;
}

/** The direct entries of a folder. */
async function listedIn(folder: string, below: BytePath): Promise<readonly Listed[]> {
  const entries = await readdir(diskPath(folder, below), { withFileTypes: true, encoding: 'buffer' });
  return entries.map((entry) => {
    const name = entry.name.toString('latin1');
    return { path: pathBelow(below, name), isFolder: entry.isDirectory() };
  });
}

async function hasFiles(folder: string, below: BytePath): Promise<boolean> {
  const entries = await listedIn(folder, below);
  if (entries.some(({ isFolder }) => !isFolder)) return true;
  for (const { path } of entries) if (await hasFiles(folder, path)) return true;
  return false;
}

export function isFolderAt(folder: string, path: BytePath): boolean {
  return lstatSync(diskPath(folder, path), { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Names that are not text cannot be passed to other programs. */
export function isText(path: BytePath): boolean {
  const bytes = Buffer.from(path, 'latin1');
  return Buffer.from(bytes.toString('utf8')).equals(bytes);
}

export function textPath(folder: string, path: BytePath): string {
  return join(folder, pathText(path));
}

/** What a setup command made, in parts that are treated alike. */
interface MadeParts {
  /** Files, and folders for dependencies with all that is ever in them. */
  readonly whole: readonly BytePath[];
  /** Other folders: what is put into them later is not setup's. */
  readonly open: readonly BytePath[];
}

export async function madeParts(folder: string, made: readonly BytePath[]): Promise<MadeParts> {
  const whole: BytePath[] = [];
  const open: BytePath[] = [];
  const sort = async (path: BytePath, isFolder: boolean): Promise<void> => {
    if (!isFolder || isForDependencies(path)) return void whole.push(path);
    open.push(path);
    for (const entry of await listedIn(folder, path)) await sort(entry.path, entry.isFolder);
  };
  for (const path of made) await sort(path, isFolderAt(folder, path));
  return { whole, open };
}

/** Known names of package managers and their caches, which never hold a user's work. */
function isForDependencies(path: BytePath): boolean {
  return DEPENDENCIES.has(nameIn(path).toLowerCase());
}

const DEPENDENCIES: ReadonlySet<string> = new Set(
  [
    'node_modules bower_components .pnpm-store .yarn .venv venv site-packages __pycache__ .tox .nox .eggs',
    'vendor target .cargo .gradle .m2 .bundle pods carthage .stack-work dist-newstyle .dart_tool .terraform',
    '.cache',
  ].flatMap((line) => line.split(' ')),
);
