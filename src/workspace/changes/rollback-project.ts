import type { TreeId } from '../../core/ids.ts';
import type { TreeStore } from '../store/port.ts';
import { applyTrees } from './apply-trees.ts';
import type { Applied } from './apply-trees.ts';

/**
 * Undoes what was applied to the user's project: every path that is still as it was left goes back to what it was before. What
 * the user changed since is kept and reported, and does not keep the rest from going back. With the two trees exchanged it is
 * itself undone.
 */
export async function rollbackProject(store: TreeStore, options: RollbackOptions): Promise<Applied> {
  const { before, after, project } = options;
  return applyTrees(store, { from: after, to: before, project, onConflict: 'keep' });
}

export interface RollbackOptions {
  readonly before: TreeId;
  readonly after: TreeId;
  readonly project: string;
}
