import { applyFact } from '../../core/apply.ts';
import { foldRecords } from '../../core/fold.ts';
import type { RunId } from '../../core/ids.ts';
import type { PersonalFact, World } from '../port.ts';
import { batchOf } from './batch.ts';

/** Writes down what a person did with the files of a run that no process drives. */
export async function noteFact(world: World, run: RunId, fact: PersonalFact): Promise<void> {
  const { journal, owner, clock } = world;
  const lease = await journal.lease(run, owner);
  try {
    const now = foldRecords(await journal.read(run));
    const snapshot = applyFact(now, fact, Math.max(now.at, clock.now()));
    await journal.append(lease, batchOf([fact], { after: now.seq, snapshot }));
  } finally {
    await journal.release(lease);
  }
}
