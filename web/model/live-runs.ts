import { openChildren } from '../../src/core/open-children.ts';
import type { RunNode, RunTree } from './run-tree.ts';

/**
 * The runs of a tree that go on. A child that its parent was put back to before has no end in its journal, and yet nobody
 * will ever take it up again.
 */
export function liveRuns(tree: RunTree): readonly RunNode[] {
  return liveFrom(tree, tree.root);
}

function liveFrom(tree: RunTree, run: string): readonly RunNode[] {
  const state = tree.runs.get(run);
  if (state === undefined || state.snapshot.status === 'settled') return [];
  return [state, ...openChildren(state.snapshot).flatMap((child) => liveFrom(tree, child.run))];
}
