import type { ChildSpent } from '../model/event.ts';
import { spentLimit, reach } from '../model/limits.ts';
import { isNothing } from '../model/usage.ts';
import { openChildren } from '../fold/open-children.ts';
import { notReported } from '../fold/tree-cost.ts';
import type { StepProgress } from './progress.ts';
import { canShareMore, type SpentShare } from './share-limit.ts';

/** A child run that works reports everything it has spent so far, so a repeated report adds nothing. */
export function childSpent(progress: StepProgress, { child, wants, usage, costUsd }: ChildSpent): void {
  const open = openChildren(progress.snapshot).find(({ id }) => id === child);
  if (open === undefined) return;
  const spent = notReported(progress.snapshot, child, { usage, costUsd });
  if (!isNothing(spent)) progress.record({ kind: 'usage.noted', task: open.task, ...spent, isOfChild: true, child });
  if (wants === undefined) return;
  // It may have begun with, or still have, less than is left now.
  if (canShareMore(progress.snapshot, child, wants))
    progress.emit({ kind: 'child.share', task: child, limit: wants.limit });
  else askForMore(progress, wants);
}

/** The run stops at its limit as if it had wanted to make the child's next call itself. */
function askForMore(progress: StepProgress, { limit, allowed }: SpentShare): void {
  const { paused, stopping, rollingBack, current } = progress.snapshot;
  const reached = spentLimit(progress.snapshot) ?? { limit, allowed, used: allowed, state: current.state };
  if (stopping === null && rollingBack === null && paused?.limit !== reached.limit) reach(progress, reached);
}
