import type { Event } from '../../model/event.ts';
import type { TaskId } from '../../model/ids.ts';
import { openChildren, type OpenChild } from '../../fold/open-children.ts';
import type { StepProgress } from '../progress.ts';
import type { Snapshot, Task, Unit } from '../../fold/snapshot.ts';
import { unitOf } from '../../fold/units.ts';

export const isWithoutSlot = ({ slot }: Pick<Snapshot, 'slot'>): boolean => slot === 'left' || slot === 'wanted';

/** The slot that a run started by a task begins with; null if it needs none. */
export function slotBelow(parent: Snapshot, task: TaskId): 'given' | 'left' | null {
  if (isWithoutSlot(parent)) return 'left';
  return parent.slot !== null || unitOfTask(parent, task) !== undefined ? 'given' : null;
}

/** Every child run has released its slot: this one can release its own, if it has nothing to do itself. */
export function areSlotsLeft(snapshot: Snapshot): boolean {
  return openChildren(snapshot).every(({ id }) => hasLeftSlot(snapshot, id));
}

/** Whether a child run released its slot, as far as its parent knows. */
export function hasLeftSlot(snapshot: Snapshot, child: TaskId): boolean {
  const unit = unitOfTask(snapshot, child);
  return unit === undefined ? snapshot.slotless[child] === 'left' : unit.status === 'resting';
}

export function moveSlot(progress: StepProgress, { to }: Extract<Event, { kind: 'slot.move' }>): void {
  const { slot } = progress.snapshot;
  if (slot === null || slot === to || (to === 'wanted' && slot !== 'left')) return;
  progress.record({ kind: 'slot.moved', to });
  if (to === 'given') letChildrenGo(progress);
}

/** A child run released its slot, or has what it waited for: a unit must wait for a slot like any other. */
export function moveChildSlot(progress: StepProgress, { child, to }: Extract<Event, { kind: 'child.slot' }>): void {
  const open = openChildren(progress.snapshot).find(({ id }) => id === child);
  if (open === undefined) return;
  if (unitOfTask(progress.snapshot, child) === undefined) moveShared(progress, open, to);
  else moveUnit(progress, child, to);
  if (to === 'wanted') moveSlot(progress, { kind: 'slot.move', to });
}

/** A child run that works in the slot of this run. */
function moveShared(progress: StepProgress, { id }: OpenChild, to: 'left' | 'wanted'): void {
  if (progress.snapshot.slotless[id] === to) return;
  if (to === 'left' || isWithoutSlot(progress.snapshot)) progress.record({ kind: 'slot.moved', child: id, to });
  else if (progress.snapshot.slotless[id] !== undefined) giveShared(progress, id);
}

function giveShared(progress: StepProgress, child: TaskId): void {
  progress.record({ kind: 'slot.moved', child, to: 'given' });
  progress.emit({ kind: 'child.go', task: child });
}

function moveUnit(progress: StepProgress, task: TaskId, slot: 'left' | 'wanted'): void {
  const { pool, unit } = progress.task(task) ?? { pool: null, unit: null };
  const status = unitOfTask(progress.snapshot, task)?.status;
  if (pool === null || unit === null || status === undefined) return;
  const to = slot === 'left' ? restingFrom(status) : status === 'resting' ? 'returning' : null;
  if (to !== null) progress.record({ kind: 'unit.moved', task: pool, unit, to });
}

const restingFrom = (status: Unit['status']): 'resting' | null =>
  status === 'running' || status === 'returning' ? 'resting' : null;

/** Continues child runs that were held because this run had no slot. One that already has its slot gets no new message. */
function letChildrenGo(progress: StepProgress): void {
  for (const { id } of openChildren(progress.snapshot)) {
    const { snapshot } = progress;
    if (snapshot.slotless[id] === 'wanted') giveShared(progress, id);
    else if (unitOfTask(snapshot, id)?.status === 'running') progress.emit({ kind: 'child.go', task: id });
  }
}

/** The unit of a pool that a task carries out, if it does. */
function unitOfTask({ tasks }: Snapshot, task: TaskId): Unit | undefined {
  const { pool = null, unit = null }: Partial<Task> = tasks[task] ?? {};
  return pool === null || unit === null ? undefined : unitOf(tasks[pool]?.units, unit);
}
