import { parentTask } from './open-children.ts';
import type { TaskId } from '../model/ids.ts';
import type { SlotMoved } from '../record/agent-fact.ts';
import type { Draft } from './draft.ts';

/** Applies a fact about slots. */
export function applySlot(now: Draft, { child, to }: SlotMoved): void {
  if (child === undefined) now.slot = to;
  else {
    const { [child]: _before, ...others } = now.slotless;
    now.slotless = to === 'given' ? others : { ...others, [child]: to };
  }
}

/** Forgets the slots of runs that did the task, or were started in its turn. */
export function forgetSlots(now: Draft, task: TaskId): void {
  const left = Object.entries(now.slotless).filter(([child]) => parentTask(child) !== task);
  if (left.length < Object.keys(now.slotless).length) now.slotless = Object.fromEntries(left);
}
