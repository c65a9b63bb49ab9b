import type { ArisenFailure, Task } from '../fold/snapshot.ts';
import { append, toArray } from '../model/append-list.ts';
import type { Draft } from '../fold/draft.ts';
import type { Failure } from '../model/outcome.ts';

/**
 * Whether a failure is handed up (R4): the work that reports it repeats, with the same code and sentence, the failure of a part
 * of it. A turn hands up that of its call, a pool that of a unit, the run (`by` is null) that of any of its work. Such a failure is
 * counted and shown once, where it arose. A failed call never hands up: each one is a failure.
 */
export const isHandedUp = (
  { code, message }: ArisenFailure['failure'],
  by: string | null,
  known: readonly ArisenFailure[],
): boolean =>
  known.some(
    ({ failure, task, pool }) =>
      failure.code === code && failure.message === message && (by === null || task === by || pool === by),
  );

/** Where it arose: everything that it ends reports the same failure again. */
export function noteFailure(now: Draft, failure: Failure | null, task: Task | null): void {
  if (failure === null || isHandedUp(failure, task?.id ?? null, toArray(now.failures))) return;
  addFailure(now, failure, task);
}

export function addFailure(now: Draft, failure: Failure, task: Task | null): void {
  const place = { task: task?.id ?? null, pool: task?.pool ?? null };
  now.failures = append(now.failures, { at: now.at, state: now.current.state, failure, ...place });
}
