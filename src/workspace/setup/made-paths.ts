import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TreeId } from '../../core/ids.ts';
import type { BytePath, WrittenPath } from '../byte-path.ts';
import { fromWritten, toWritten } from '../byte-path.ts';
import { foldersAbove } from '../ignore/frozen-rules.ts';
import type { LeaveOut, TreeStore } from '../store/port.ts';

/**
 * What a setup command made in one workspace: it belongs to the workspace and not to what the run makes, so snapshots leave it
 * out as they do what git ignores. A path that a tree holds all the same is no longer setup's: the tree's content counts.
 */
export class MadePaths {
  readonly #mark: string;
  #made: ReadonlySet<BytePath> = new Set();
  /** What the tree in the workspace has at or below them, and the folders that lead there. */
  #held: ReadonlySet<BytePath> = new Set();
  #leading: ReadonlySet<BytePath> = new Set();

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
    this.#made = new Set(text === null ? [] : pathsIn(text));
  }

  /** From now on the workspace counts as set up. */
  async keep(command: string, paths: readonly BytePath[]): Promise<void> {
    this.#made = new Set(paths);
    const mark: Mark = { command, made: paths.map(toWritten) };
    await writeFile(this.#mark, `${JSON.stringify(mark)}\n`);
  }

  /** To be done before the workspace is made equal to the tree. */
  async mind(store: TreeStore, tree: TreeId): Promise<void> {
    if (this.#made.size === 0) return;
    const entries = await store.entries(tree);
    const held = [...entries.keys()].filter((path) => this.#covers(path));
    this.#held = new Set(held);
    this.#leading = new Set(held.flatMap(foldersAbove));
  }

  /** The run's rules, and what setup made. */
  leaveOut(rules: LeaveOut): LeaveOut {
    return (path, isFolder) => rules(path, isFolder) || this.#isLeftOut(path, isFolder);
  }

  #isLeftOut(path: BytePath, isFolder: boolean): boolean {
    if (this.#made.size === 0 || !this.#covers(path)) return false;
    return !this.#held.has(path) && !(isFolder && this.#leading.has(path));
  }

  #covers(path: BytePath): boolean {
    return this.#made.has(path) || foldersAbove(path).some((above) => this.#made.has(above));
  }
}

/** Tells that a workspace has been set up, and what that made. Goes with the workspace. */
export const SETUP_MARK = 'setup-done';

interface Mark {
  readonly command: string;
  readonly made: readonly WrittenPath[];
}

/** Once the command alone stood there, and nothing but what the rules leave out was kept. */
function pathsIn(text: string): readonly BytePath[] {
  try {
    return (JSON.parse(text) as Mark).made.map(fromWritten);
  } catch {
    return [];
  }
}
