import { historyOf } from './run-history.ts';
import type { RunNode, RunTree } from './run-tree.ts';

/**
 * A run below as people know it: by the unit or the state that it does the work of, `phases › planning` where it is deeper down;
 * nothing for the root. Its id would only say as which task it was begun.
 */
export function runName(tree: RunTree, run: string): string {
  const names: string[] = [];
  for (let one = tree.runs.get(run); one !== undefined && one.run !== tree.root; one = parentOf(tree, one))
    names.unshift(ownName(tree, one));
  return names.length === 0 && run !== tree.root ? run.slice(tree.root.length + 1) : names.join(' › ');
}

const parentOf = (tree: RunTree, { parent }: RunNode): RunNode | undefined => tree.runs.get(parent ?? '');

function ownName(tree: RunTree, one: RunNode): string {
  const parent = parentOf(tree, one);
  const task = one.run.slice(one.run.lastIndexOf('/') + 1);
  const bar = parent === undefined ? undefined : historyOf(parent).bars.findLast((bar) => bar.task === task);
  return bar?.unit ?? bar?.state ?? one.snapshot.workflow;
}
