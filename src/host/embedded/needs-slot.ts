import type { Effect } from '../../core/model/effect.ts';
import { isOfChild } from './is-of-child.ts';

/** A child run waits for the slot by itself. */
export const needsSlot = (effect: Effect): boolean => NEEDS_SLOT.has(effect.kind) && !isOfChild(effect);

/** Effects that need the slot of a unit; all others may happen without one. */
const NEEDS_SLOT: ReadonlySet<Effect['kind']> = new Set([
  'actor.call',
  'tool.run',
  'command.run',
  'merge.run',
  'permission.tell',
]);
