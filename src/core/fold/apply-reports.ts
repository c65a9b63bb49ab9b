import type { TaskId } from '../model/ids.ts';
import type { UsageNoted } from '../record/files-fact.ts';
import type { LimitShared } from '../record/limit-fact.ts';
import { release } from '../step/paused.ts';
import type { Draft } from './draft.ts';
import { addSpent, NOTHING_SPENT } from './tree-cost.ts';

export function noteReport(now: Draft, { child, usage, costUsd }: UsageNoted): void {
  if (child === undefined) return;
  const before = now.reported[child] ?? NOTHING_SPENT;
  now.reported = { ...now.reported, [child]: addSpent(before, { usage, costUsd }) };
}

/** The child run is over. Few runs have reports, so its name is only looked for where there are some. */
export function forgetReports(now: Draft, nameOf: () => TaskId): void {
  if (Object.keys(now.reported).length === 0) return;
  const { [nameOf()]: _over, ...reported } = now.reported;
  now.reported = reported;
}

export function shareLimit(now: Draft, { limit, allowed, isMore }: LimitShared): void {
  now.limits = { ...now.limits, [limit]: allowed };
  if (isMore === true) release(now, ['paused']);
}
