import { unitOf as findUnit } from '../../core/units.ts';
import { taskId, childRunId, type RunId, type TaskId } from '../../core/ids.ts';
import { openChildren } from '../../core/open-children.ts';
import type { Snapshot, Unit } from '../../core/snapshot.ts';
import { standsStill } from '../../core/stand-still.ts';
import type { Driver } from './driver.ts';

/** The slots of pools whose units are runs: a unit has its slot, or none, for itself and for every run below it. */
export class Slots {
  readonly #drivers: ReadonlyMap<RunId, Driver>;

  constructor(drivers: ReadonlyMap<RunId, Driver>) {
    this.#drivers = drivers;
  }

  /** A unit that waits for a person or a quota gives its slot away, and asks for one before anything of it leaves again. */
  share(parent: Driver, child: Driver, task: TaskId): void {
    const status = unitOf(parent.snapshot, task)?.status;
    if (status === undefined) return;
    if (child.isIdle && status === 'running') {
      for (const driver of this.#tree(child)) driver.rest();
      parent.post({ kind: 'unit.rest', task, isResting: true });
    } else if (status !== 'returning' && this.#tree(child).some(({ wantsSlot }) => wantsSlot))
      parent.post({ kind: 'unit.rest', task, isResting: false });
  }

  /** It has a slot again. In a pool of a unit that has none itself, it goes when that one does. */
  go(parent: RunId, task: TaskId): void {
    const child = this.#drivers.get(childRunId(parent, task));
    if (child !== undefined && this.#drivers.get(parent)?.isHeld !== true) this.#goTree(child);
  }

  #goTree(driver: Driver): void {
    const below = this.#below(driver).filter(({ run }) => !isWithoutSlot(driver.snapshot, run));
    driver.go();
    for (const child of below) this.#goTree(child);
  }

  /** How a run begins, or goes on after a restart: what is below a unit without a slot has none either. */
  isHeld({ run, parent }: Snapshot): boolean {
    const above = parent === null ? undefined : this.#drivers.get(parent);
    return above !== undefined && (above.isHeld || isWithoutSlot(above.snapshot, run));
  }

  /** Whoever gives slots away stands still, or somebody above it does: nobody gets one before a person acts. */
  areWithheld({ parent }: Snapshot): boolean {
    const above = parent === null ? undefined : this.#drivers.get(parent)?.snapshot;
    return above !== undefined && (standsStill(above) || this.areWithheld(above));
  }

  /** The slot is still its own: the pool will hear that it rests, and may have something else to do. */
  hasOwn(snapshot: Snapshot, task: TaskId): boolean {
    return unitOf(snapshot, task)?.status === 'running';
  }

  #tree(driver: Driver): readonly Driver[] {
    return [driver, ...this.#below(driver).flatMap((child) => this.#tree(child))];
  }

  #below({ snapshot }: Driver): readonly Driver[] {
    return openChildren(snapshot).flatMap(({ run }) => this.#drivers.get(run) ?? []);
  }
}

/** The unit of a pool that a task carries out, if it does. */
function unitOf(snapshot: Snapshot, task: TaskId): Unit | undefined {
  const { pool = null, unit = null } = snapshot.tasks[task] ?? {};
  return pool === null || unit === null ? undefined : findUnit(snapshot.tasks[pool]?.units, unit);
}

function isWithoutSlot(above: Snapshot, run: RunId): boolean {
  const status = unitOf(above, taskId(run.slice(run.lastIndexOf('/') + 1)))?.status;
  return status === 'resting' || status === 'returning';
}
