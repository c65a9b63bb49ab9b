import { applyFact } from '../../core/fold/apply.ts';
import { Fault } from '../../core/model/fault.ts';
import { foldRecords } from '../../core/fold/fold.ts';
import type { RunId } from '../../core/model/ids.ts';
import type { HeldRun } from '../port.ts';
import type { World } from '../world.ts';
import { batchOf } from './batch.ts';

/** Takes the lease of a run for a person's own work on its result. RUN_BUSY if there are newer records than the one that was seen. */
export async function holdRun({ journal, owner, clock }: World, run: RunId, seen?: number): Promise<HeldRun> {
  const lease = await journal.lease(run, owner);
  const release = (): Promise<void> => journal.release(lease);
  try {
    const snapshot = foldRecords(await journal.read(run));
    if (seen !== undefined && snapshot.seq !== seen) throw changedMeanwhile(run);
    return {
      snapshot,
      lease,
      release,
      note: async (fact) => {
        const now = foldRecords(await journal.read(run));
        const after = applyFact(now, fact, Math.max(now.at, clock.now()));
        await journal.append(lease, batchOf([fact], { after: now.seq, snapshot: after }));
      },
    };
  } catch (error) {
    await release();
    throw error;
  }
}

const changedMeanwhile = (run: RunId): Fault =>
  new Fault('RUN_BUSY', `Another process worked on run ${run} at the same time. Nothing was done here.`, {
    hint: `See what became of it (troupe show ${run}), then try again.`,
  });
