import { isKnownToWait } from '../../core/step/child-waits.ts';
import { openChildren } from '../../core/fold/open-children.ts';
import { hasLeftSlot } from '../../core/step/pool/slot.ts';
import type { Snapshot } from '../../core/fold/snapshot.ts';
import { standsStill } from '../../core/step/stand-still.ts';
import type { DrivenRuns } from './driven-runs.ts';
import type { Driver } from './driver.ts';

/**
 * Nothing under way in the run or below it: it is settled, or only a person or another process can move it. A child that is driven
 * elsewhere, where that can be, is quiet when it told that it waits for a person.
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
    // The pool will hear that it gives its slot away, and may have something else to do.
    return child.snapshot.slot !== 'given' || hasLeftSlot(snapshot, id);
  });
}

/**
 * This process has nothing to do for the run for a while: it is quiet, or waits for runs that other processes drive or for a time
 * that is far away.
 */
export function isIdleHere(drivers: DrivenRuns, driver: Driver): boolean {
  const below = openChildren(driver.snapshot).flatMap(({ run }) => drivers.below(run) ?? []);
  return driver.isAsleep && below.every((child) => isIdleHere(drivers, child));
}

/** It wants a slot, and need not wait for a person to get it. */
function willHaveSlot(drivers: DrivenRuns, { wantsSlot, snapshot }: Driver): boolean {
  return wantsSlot && !standsStill(snapshot) && !areSlotsWithheld(drivers, snapshot);
}

/** Whoever gives slots away stands still, or somebody above it does: nobody gets one before a person acts. */
function areSlotsWithheld(drivers: DrivenRuns, snapshot: Snapshot): boolean {
  const above = drivers.above(snapshot)?.snapshot;
  return above !== undefined && (standsStill(above) || areSlotsWithheld(drivers, above));
}
