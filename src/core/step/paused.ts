import type { Draft } from '../fold/draft.ts';
import type { LimitReached } from '../record/limit-fact.ts';
import type { RunPaused } from '../record/files-fact.ts';
import type { Snapshot } from '../fold/snapshot.ts';

/** Nothing new starts: a limit was reached, a person paused the run, or a failure has to be fixed first. */
export const isRunPaused = ({ paused, held }: Snapshot): boolean => paused !== null || held !== null;

/** Since when the run is paused, for whichever reason came first; null while it moves. */
export const pausedSince = ({ paused, held }: Snapshot): number | null => paused?.since ?? held?.since ?? null;

export function pauseAtLimit(now: Draft, fact: LimitReached): void {
  now.paused = { ...fact, since: pausedSince(now) ?? now.at, seq: now.seq };
}

export function hold(now: Draft, fact: RunPaused): void {
  const { by, reason, failure } = fact;
  const unbegun = [...(now.held?.unbegun ?? []), ...(fact.unbegun ?? [])];
  now.held = {
    by,
    reason,
    since: pausedSince(now) ?? now.at,
    ...(failure === undefined ? {} : { failure }),
    ...(unbegun.length === 0 ? {} : { unbegun }),
  };
}

/** Removes one reason for the pause, or both. */
export function release(now: Draft, reasons: readonly ('paused' | 'held')[]): void {
  const since = pausedSince(now);
  for (const reason of reasons) now[reason] = null;
  if (since !== null && !isRunPaused(now)) goOn(now, now.at - since);
}

/** The pause counts for no deadline: work in progress has as much time left as when the run paused. */
function goOn(now: Draft, pausedMs: number): void {
  for (const task of Object.values(now.tasks))
    if (task.deadline !== null) now.tasks[task.id] = { ...task, deadline: task.deadline + pausedMs };
}
