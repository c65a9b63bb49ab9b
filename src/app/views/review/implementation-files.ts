import { Fault, isFault } from '../../../core/fault.ts';
import type { TreeId } from '../../../core/ids.ts';
import { foldRecords } from '../../../core/fold.ts';
import { workspaceOf } from '../../../core/workspace-name.ts';
import { nameHint } from '../../../dialects/source/closest-name.ts';
import type { DiffSize } from '../../../protocol/review/compare-view.ts';
import { diffTrees, type TreeDiff } from '../../../workspace/changes/diff-trees.ts';
import type { TreeStore } from '../../../workspace/store/port.ts';
import { findFiles, madeFrom, treeOf, type RunFiles } from '../../../host/deliver/find-files.ts';
import { requireTrees } from '../../../host/deliver/kept-trees.ts';
import type { Store } from '../../world/store.ts';
import type { FoundReview } from './find-review.ts';

/** The files of the implementations of one run, each in a workspace of its own. */
export class ImplementationFiles {
  readonly #files: RunFiles;
  readonly #trees: TreeStore;
  readonly #workspaceOf: (id: string) => string;

  constructor(files: RunFiles, trees: TreeStore, found: FoundReview) {
    const { run, workspace } = foldRecords(found.records);
    this.#files = files;
    this.#trees = trees;
    this.#workspaceOf = (name) =>
      workspaceOf({ run, workspace }, { name, role: name, context: name, side: 'assistant', workspace: 'own' });
  }

  /** Null where the run has no files at all. */
  static async open({ journal }: Store, trees: TreeStore, found: FoundReview): Promise<ImplementationFiles | null> {
    try {
      return new ImplementationFiles(await findFiles(journal, found.info.run), trees, found);
    } catch (error) {
      if (isFault(error) && error.code === 'FILES_NONE') return null;
      throw error;
    }
  }

  /** Against what each began with. One that nobody has worked on, or whose files were pruned, is left out. */
  async sizes(ids: readonly string[]): Promise<ReadonlyMap<string, DiffSize>> {
    const sizes = new Map<string, DiffSize>();
    for (const id of ids) {
      const workspace = this.#workspaceOf(id);
      if (!this.#files.workspaces.has(workspace)) continue;
      const [before, after] = [madeFrom(this.#files, workspace), treeOf(this.#files, workspace)];
      if (!(await this.#trees.has(before)) || !(await this.#trees.has(after))) continue;
      const { stat, changes } = await diffTrees(this.#trees, { before, after }, { patch: false });
      const { files, added, removed } = stat;
      const binary = files.filter(({ isBinary }) => isBinary).length;
      sizes.set(id, { files: Math.max(files.length, changes.length === 0 ? 0 : 1), added, removed, binary, of: 'now' });
    }
    return sizes;
  }

  async between(one: string, other: string, known: readonly string[]): Promise<BetweenTwo> {
    const [before, after] = [this.#treeOf(one, known), this.#treeOf(other, known)];
    await requireTrees(this.#trees, this.#files.root, [before, after]);
    return { before, after, ...(await diffTrees(this.#trees, { before, after })) };
  }

  #treeOf(id: string, known: readonly string[]): TreeId {
    if (!known.includes(id)) {
      throw new Fault('IMPLEMENTATION_UNKNOWN', `There is no implementation "${id}" in this run.`, {
        hint: nameHint(id, known) ?? 'There is none yet.',
        facts: { implementations: known },
      });
    }
    return treeOf(this.#files, this.#workspaceOf(id));
  }
}

export interface BetweenTwo extends TreeDiff {
  readonly before: TreeId;
  readonly after: TreeId;
}
