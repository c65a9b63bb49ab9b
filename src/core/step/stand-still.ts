import type { Draft } from '../fold/draft.ts';
import type { LimitReached } from '../record/limit-fact.ts';
import type { RunPaused } from '../record/files-fact.ts';
import type { Snapshot, Task } from '../fold/snapshot.ts';

/** Nothing new starts: a limit was reached, a person wants it so, or something has to be mended first. */
export const standsStill = ({ paused, held }: Snapshot): boolean => paused !== null || held !== null;

/** Since when the run stands still, for whichever reason came first; null while it moves. */
export const stillSince = ({ paused, held }: Snapshot): number | null => paused?.since ?? held?.since ?? null;

export function pauseAtLimit(now: Draft, fact: LimitReached): void {
  now.paused = { ...fact, since: stillSince(now) ?? now.at, seq: now.seq };
}

export function hold(now: Draft, fact: RunPaused): void {
  const { by, reason, failure } = fact;
  const unbegun = [...(now.held?.unbegun ?? []), ...(fact.unbegun ?? [])];
  now.held = {
    by,
    reason,
    since: stillSince(now) ?? now.at,
    ...(failure === undefined ? {} : { failure }),
    ...(unbegun.length === 0 ? {} : { unbegun }),
  };
}

/** One reason to stand still is gone, or both. */
export function release(now: Draft, reasons: readonly ('paused' | 'held')[]): void {
  const since = stillSince(now);
  for (const reason of reasons) now[reason] = null;
  if (since !== null && !standsStill(now)) goOn(now, now.at - since);
}

/** The pause counts for no deadline: what was under way has as much time left as when the run stopped moving. */
function goOn(now: Draft, pausedMs: number): void {
  const tasks = Object.entries(now.tasks).map(([id, task]): [string, Task] => [
    id,
    task.deadline === null ? task : { ...task, deadline: task.deadline + pausedMs },
  ]);
  now.tasks = Object.fromEntries(tasks);
}
