import type { Event } from '../model/event.ts';
import type { TaskId } from '../model/ids.ts';
import { armDeadline, ownLimit, reach, UNWATCHED } from '../model/limits.ts';
import { totalTokens, type Spent } from '../model/usage.ts';
import type { SharedLimit } from '../record/limit-fact.ts';
import type { Snapshot } from '../fold/snapshot.ts';
import { NOTHING_SPENT } from '../fold/tree-cost.ts';
import type { StepProgress } from './progress.ts';

/**
 * Tokens and money are limited for a run and all runs below it. A child begins with what is left then, reports what it spends,
 * and gets a new share when nothing is left or the limit was raised. Only the run whose limit it is asks a person.
 */
export const SHARED_LIMITS: readonly SharedLimit[] = ['tokens', 'usd'];

/** The most that a child may spend, counted like its reports: what it has reported, and what this run has left. */
export function shareOf(snapshot: Snapshot, child: TaskId, limit: SharedLimit): number {
  const allowed = snapshot.limits[limit];
  if (allowed === undefined || allowed === UNWATCHED) return UNWATCHED;
  return knownAmount(snapshot.reported[child] ?? NOTHING_SPENT, limit) + leftOf(snapshot, limit);
}

const leftOf = (snapshot: Snapshot, limit: SharedLimit): number =>
  Math.max(0, (snapshot.limits[limit] ?? UNWATCHED) - amountOf(snapshot, limit));

/** Whether a child that stopped at its share may have a larger one. */
export const canShareMore = (snapshot: Snapshot, child: TaskId, { limit, allowed }: SpentShare): boolean =>
  (snapshot.limits[limit] ?? UNWATCHED) === UNWATCHED ||
  (leftOf(snapshot, limit) > 0 && shareOf(snapshot, child, limit) > allowed);

/** Whether children need new shares: the limit changed, or nothing of it is left. */
export function areSharesNew(before: Snapshot, after: Snapshot, limit: SharedLimit): boolean {
  return before.limits[limit] !== after.limits[limit] || (isSpent(after, limit) && !isSpent(before, limit));
}

const isSpent = (snapshot: Snapshot, limit: SharedLimit): boolean =>
  amountOf(snapshot, limit) >= (snapshot.limits[limit] ?? Infinity);

/** The run above changes what this run may spend. Never more than its own workflow allows, or a person allowed it. */
export function takeShare(
  progress: StepProgress,
  { limit, allowed: share }: Extract<Event, { kind: 'limit.share' }>,
): void {
  const { snapshot } = progress;
  const { [limit]: before = 0 } = snapshot.limits;
  const counted = share === UNWATCHED ? share : share + beforeReports(snapshot, limit);
  const allowed = Math.min(counted, Math.max(ownLimit(progress, limit), before));
  if (allowed === snapshot.limits[limit]) return stopAgain(progress, limit, allowed);
  const isMore = snapshot.paused?.limit === limit && allowed > before;
  progress.record({ kind: 'limit.shared', limit, allowed, ...(isMore ? { isMore } : {}) });
  if (isMore) for (const task of Object.values(progress.snapshot.tasks)) armDeadline(progress, task);
}

/** A raised limit may be spent before this run gets a part of it: the run above has to hear again that this one waits. */
function stopAgain(progress: StepProgress, limit: SharedLimit, allowed: number): void {
  const { snapshot } = progress;
  const { paused, current } = snapshot;
  if (paused?.limit !== limit || paused.isOfParent !== true) return;
  reach(progress, { limit, allowed, used: knownAmount(snapshot, limit), state: current.state });
}

/** A run whose share is spent: which limit, and how much its parent last allowed it. */
export interface SpentShare {
  readonly limit: SharedLimit;
  readonly allowed: number;
}

/** Null unless it has stopped because its share is spent. */
export function spentShare(snapshot: Snapshot): SpentShare | null {
  const { paused, limits } = snapshot;
  const limit = SHARED_LIMITS.find((one) => one === paused?.limit);
  if (limit === undefined || paused?.isOfParent !== true) return null;
  return { limit, allowed: (limits[limit] ?? 0) - beforeReports(snapshot, limit) };
}

/** A child reports in steps of this part of its limits, so that reports are few however many calls it makes. */
const PARTS = 100;

export function hasSpentPart(before: Snapshot, after: Snapshot): boolean {
  return SHARED_LIMITS.some((limit) => {
    const part = (after.limits[limit] ?? UNWATCHED) / PARTS;
    const steps = (spent: Spent): number => Math.floor(amountOf(spent, limit) / part);
    return after.limits[limit] !== undefined && steps(after.unreported) > steps(before.unreported);
  });
}

/** What was spent before a rollback: it counts for the limit, but is in no report any more. */
const beforeReports = (snapshot: Snapshot, limit: SharedLimit): number =>
  knownAmount(snapshot, limit) - knownAmount(snapshot.unreported, limit);

/** An unknown cost is more than any limit. */
const amountOf = ({ usage, costUsd }: Spent, limit: SharedLimit): number =>
  limit === 'tokens' ? totalTokens(usage) : (costUsd ?? Infinity);

const knownAmount = (spent: Spent, limit: SharedLimit): number =>
  limit === 'usd' && spent.costUsd === null ? 0 : amountOf(spent, limit);
