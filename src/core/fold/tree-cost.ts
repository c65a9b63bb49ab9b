import type { Spent } from '../model/usage.ts';
import { openChildren } from './open-children.ts';
import type { RunId, TaskId } from '../model/ids.ts';
import type { Snapshot } from './snapshot.ts';
import { addCost, addUsage, NO_USAGE, usageMinus } from '../model/usage.ts';

export const NOTHING_SPENT: Spent = { usage: NO_USAGE, costUsd: 0 };

export const addSpent = (a: Spent, b: Spent): Spent => ({
  usage: addUsage(a.usage, b.usage),
  costUsd: addCost(a.costUsd, b.costUsd),
});

/** What a child run has spent without what it reported to its parent before. */
export function notReported({ reported }: Pick<Snapshot, 'reported'>, child: TaskId, spent: Spent): Spent {
  const known = Object.hasOwn(reported, child) ? reported[child] : undefined;
  if (known === undefined) return spent;
  const usage = usageMinus(spent.usage, known.usage);
  if (known.costUsd === null) return { usage, costUsd: 0 };
  return { usage, costUsd: spent.costUsd === null ? null : Math.max(0, spent.costUsd - known.costUsd) };
}

type FindRun = (run: RunId) => Snapshot | undefined;

/** The cost of a run and all runs below it: its own sum, and what open children have not reported to it yet. */
export function treeCost(root: Snapshot, find: FindRun): Spent {
  return [{ usage: root.usage, costUsd: root.costUsd }, ...openBelow(root, find)].reduce(addSpent);
}

/** The cost that the parent of a child accounts for, reported or not: what it and all runs below it spent since its last rollback. */
export function unreportedCost(child: Snapshot, find: FindRun): Spent {
  return [child.unreported, ...openBelow(child, find)].reduce(addSpent);
}

function openBelow(snapshot: Snapshot, find: FindRun): readonly Spent[] {
  return openChildren(snapshot).flatMap(({ id, run }) => {
    const child = find(run);
    return child === undefined ? [] : [notReported(snapshot, id, unreportedCost(child, find))];
  });
}
