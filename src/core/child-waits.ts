import type { Event } from './event.ts';
import { openChildren, type OpenChild } from './open-children.ts';
import type { StepProgress } from './progress.ts';
import type { Snapshot } from './snapshot.ts';
import { isAtRest } from './work-clock.ts';

/** Waiting of a run below is time that this run waits as well (see `work-clock.ts`). */
export function childWaits(
  progress: StepProgress,
  { child, isWaiting }: Extract<Event, { kind: 'child.waits' }>,
): void {
  const open = openChildren(progress.snapshot).find(({ id }) => id === child);
  if (open === undefined || isKnownToWait(progress.snapshot, open) === isWaiting) return;
  const { task, toolCall } = open;
  const kind = isWaiting ? 'wait.started' : 'wait.ended';
  progress.record({ kind, task, ...(toolCall === undefined ? {} : { toolCall }) });
}

const isKnownToWait = ({ clock }: Snapshot, { task, toolCall = '' }: OpenChild): boolean =>
  clock.tasks[task]?.waitsFor.includes(toolCall) === true;

/** What a parent has to hear of a child; null where it knows. */
export function newsOfWaiting(parent: Snapshot, child: Snapshot): Extract<Event, { kind: 'child.waits' }> | null {
  const open = openChildren(parent).find(({ run }) => run === child.run);
  const isWaiting = child.status === 'running' && isAtRest(child.clock);
  if (open === undefined || isKnownToWait(parent, open) === isWaiting) return null;
  return { kind: 'child.waits', child: open.id, isWaiting };
}
