import { lastMoment } from './last-moment.ts';
import type { RunTree } from './run-tree.ts';

/**
 * When a run came to a halt because its process is gone: with its newest record. Null while a process drives it, and once it has
 * ended. Nothing of a halted run is under way, whatever its records began.
 */
export function haltedAt(tree: RunTree): number | null {
  if (tree.isDriven !== false) return null;
  const root = tree.runs.get(tree.root);
  return root === undefined || root.snapshot.result !== null ? null : lastMoment(tree);
}

export const isHalted = (tree: RunTree): boolean => haltedAt(tree) !== null;
