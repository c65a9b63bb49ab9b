import { timeNow, type WorkTime } from '../../src/core/work-clock.ts';
import { lastMoment } from './last-moment.ts';
import type { RunNode, RunTree } from './run-tree.ts';

/** A run's time at a moment, as every view shows it. */
export function runTimeAt(tree: RunTree, run: RunNode, now: number): WorkTime {
  return timeNow(run.snapshot.clock, { isDriven: tree.isDriven !== false, now, lastAt: lastMoment(tree) });
}
