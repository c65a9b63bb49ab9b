import type { Event } from '../../../core/model/event.ts';
import { taskId } from '../../../core/model/ids.ts';
import { toFailure } from '../failed-event.ts';
import type { EffectContext } from '../../world.ts';
import { rootOf } from './places.ts';

/** Restores every workspace of the run to the project's files before it (PH7). */
export async function runRollback(context: EffectContext): Promise<Extract<Event, { kind: 'rollback.done' }>> {
  const { places, run, snapshot } = context;
  const began = snapshot.files?.tree;
  try {
    const known = began === undefined ? [] : [...(await places.known(rootOf(run))).keys()];
    // Each stays reserved until the end, in the order of merges, so that no two wait for each other.
    for (const name of known.toSorted()) {
      await places.write(context, { name, task: NO_TASK }, async (writing) => {
        if (began !== undefined) await writing.restoreTree(began, { why: 'rollback', base: began, open: null });
      });
    }
    return { kind: 'rollback.done', failure: null };
  } catch (error) {
    return { kind: 'rollback.done', failure: toFailure(error) };
  }
}

const NO_TASK = taskId('rollback');
