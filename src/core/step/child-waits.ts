import type { Event } from '../model/event.ts';
import { openChildren, type OpenChild } from '../fold/open-children.ts';
import type { StepProgress } from './progress.ts';
import type { Snapshot } from '../fold/snapshot.ts';
import { taskClockOf } from '../fold/work-clock.ts';

/** While a child run waits for a person, this run waits as well (see `work-clock.ts`). */
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

/** As far as it was reported to the parent. */
export const isKnownToWait = ({ clock }: Snapshot, { task, toolCall = '' }: OpenChild): boolean =>
  taskClockOf(clock, task)?.waitsFor.includes(toolCall) === true;
