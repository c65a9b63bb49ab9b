import { isKnownToWait } from '../../core/step/child-waits.ts';
import type { RunId } from '../../core/model/ids.ts';
import { openChildren } from '../../core/fold/open-children.ts';
import { hasLeftSlot } from '../../core/step/pool/slot.ts';
import type { Snapshot } from '../../core/fold/snapshot.ts';
import { isRunPaused } from '../../core/step/paused.ts';
import type { RunActivity } from '../port.ts';
import type { DrivenRuns } from './driven-runs.ts';
import type { Driver } from './driver.ts';
import { LONG_MS } from './timers.ts';

/**
 * No work in progress in the run or below it: it is settled, or only a person or another process can move it. A child that
 * is driven elsewhere is quiet when it reported that it waits for a person.
 */
export function isQuiet(drivers: DrivenRuns, driver: Driver, mayBeElsewhere: boolean): boolean {
  const { snapshot } = driver;
  if (driver.fault !== null || driver.isClosed) return true;
  if (!driver.isStill || willHaveSlot(drivers, driver)) return false;
  if (snapshot.status === 'settled') return !driver.hasChildren;
  return openChildren(snapshot).every((open) => {
    const { run, id } = open;
    const child = drivers.below(run);
    if (child === undefined) return mayBeElsewhere && isKnownToWait(snapshot, open);
    if (child.snapshot.status === 'settled' || !isQuiet(drivers, child, mayBeElsewhere)) return false;
    // The pool will be notified that its slot was released, and may have other work.
    return child.snapshot.slot !== 'given' || hasLeftSlot(snapshot, id);
  });
}

/** What this process does for the run, and for those driven together with it; null if it is not driven here. */
export function activityHere(drivers: DrivenRuns, run: RunId): RunActivity | null {
  const driver = drivers.get(run);
  if (driver === undefined) return null;
  if (!isIdleHere(drivers, driver)) return 'at work';
  const until = wakesAt(drivers, run);
  return until === null || drivers.together(run).every(({ keptUntil = 0 }) => until <= keptUntil) ? 'idle' : 'asleep';
}

function isIdleHere(drivers: DrivenRuns, driver: Driver): boolean {
  const below = openChildren(driver.snapshot).flatMap(({ run }) => drivers.below(run) ?? []);
  return driver.isAsleep && below.every((child) => isIdleHere(drivers, child));
}

/**
 * The time until which the run sleeps, with all runs driven together with it: only a message wakes them before. Null if they
 * do not sleep for long, or wait for runs that other processes work on.
 */
export function wakesAt(drivers: DrivenRuns, run: RunId): number | null {
  const driver = drivers.get(run);
  const together = drivers.together(run);
  if (driver === undefined || !isIdleHere(drivers, driver) || together.every(({ isStill }) => isStill)) return null;
  if (together.some((one) => one.wantsSlot || waitsForOthers(drivers, one))) return null;
  const next = Math.min(...together.map(({ timers }) => timers.next));
  return next < driver.world.clock.now() + LONG_MS || next === Infinity ? null : next;
}

const waitsForOthers = (drivers: DrivenRuns, { snapshot }: Driver): boolean =>
  openChildren(snapshot).some((open) => drivers.below(open.run) === undefined && !isKnownToWait(snapshot, open));

/** It requests a slot, and need not wait for a person to get it. */
function willHaveSlot(drivers: DrivenRuns, { wantsSlot, snapshot }: Driver): boolean {
  return wantsSlot && !isRunPaused(snapshot) && !areSlotsWithheld(drivers, snapshot);
}

/** The run that assigns slots is paused, or one above it is: no slot is assigned before a person acts. */
function areSlotsWithheld(drivers: DrivenRuns, snapshot: Snapshot): boolean {
  const above = drivers.above(snapshot)?.snapshot;
  return above !== undefined && (isRunPaused(above) || areSlotsWithheld(drivers, above));
}
