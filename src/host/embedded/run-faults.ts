import { Fault } from '../../core/model/fault.ts';
import type { RunId } from '../../core/model/ids.ts';

export const endedUnheard = (run: RunId, hint: string): Fault =>
  new Fault('RUN_SETTLED', `Run ${run} ended before it received this.`, { hint });

export const heldHere = (run: RunId): Fault =>
  new Fault('RUN_BUSY', `The result of run ${run} is being delivered or discarded.`, {
    hint: 'Wait until that is done.',
  });

export function notDriven(run: RunId): Fault {
  return new Fault('RUN_NOT_DRIVEN', `Run ${run} is not at rest, and this process does not drive it.`, {
    hint: 'Resume it here, or watch it where it is driven.',
  });
}
