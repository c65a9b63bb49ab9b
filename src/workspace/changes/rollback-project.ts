import type { TreeId } from '../../core/ids.ts';
import type { TreeStore } from '../store/port.ts';
import { applyTrees } from './apply-trees.ts';
import type { Applied } from './apply-trees.ts';
import type { Conflict } from './conflict.ts';
import { planUndo } from './plan-undo.ts';

/**
 * Undoes what was applied to the user's project. What is still as it was left goes back to what it was before; in a file that
 * the user changed since, the run's lines go and the user's stay. Where both are the same lines the user's version is kept and
 * reported, and does not keep the rest from going back. With the two trees exchanged it is itself undone.
 */
export async function rollbackProject(store: TreeStore, options: RollbackOptions): Promise<RolledBackFiles> {
  const { before, after, project, present } = options;
  if (present === undefined) {
    const applied = await applyTrees(store, { from: after, to: before, project, onConflict: 'keep' });
    return { ...applied, unmerged: [] };
  }
  const plan = await planUndo(store, { before, after, present, project });
  const applied = await applyTrees(store, { from: plan.present, to: plan.tree, project, onConflict: 'keep' });
  return { ...applied, unmerged: plan.conflicts };
}

export interface RollbackOptions {
  readonly before: TreeId;
  readonly after: TreeId;
  readonly project: string;
  /** The project as it is now. Without it a file that the user changed is kept whole. */
  readonly present?: TreeId;
}

export type RolledBackFiles = Applied & {
  /** Kept as the user has them: what the run did there is no longer to be told apart. */
  readonly unmerged: readonly Conflict[];
};
