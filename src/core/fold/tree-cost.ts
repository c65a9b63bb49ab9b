import type { Spent } from '../model/usage.ts';
import { openChildren } from './open-children.ts';
import type { RunId } from '../model/ids.ts';
import type { Snapshot } from './snapshot.ts';
import { addCost, addUsage, NO_USAGE } from '../model/usage.ts';

export const NOTHING_SPENT: Spent = { usage: NO_USAGE, costUsd: 0 };

export const addSpent = (a: Spent, b: Spent): Spent => ({
  usage: addUsage(a.usage, b.usage),
  costUsd: addCost(a.costUsd, b.costUsd),
});

type FindRun = (run: RunId) => Snapshot | undefined;

/** The cost of a run and all runs below it: its own sum, and what open children have not reported to it yet. */
export function treeCost(root: Snapshot, find: FindRun): Spent {
  return [{ usage: root.usage, costUsd: root.costUsd }, ...openBelow(root, find)].reduce(addSpent);
}

/** The cost that a child has to report to its parent: what it and all runs below it spent since its last report. */
export function unreportedCost(child: Snapshot, find: FindRun): Spent {
  return [child.unreported, ...openBelow(child, find)].reduce(addSpent);
}

function openBelow(snapshot: Snapshot, find: FindRun): readonly Spent[] {
  return openChildren(snapshot).flatMap(({ run }) => {
    const child = find(run);
    return child === undefined ? [] : [unreportedCost(child, find)];
  });
}
