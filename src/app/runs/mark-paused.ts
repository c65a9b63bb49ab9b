import { applyFact } from '../../core/apply.ts';
import { foldRecords } from '../../core/fold.ts';
import type { RunId } from '../../core/ids.ts';
import { batchOf } from '../../host/embedded/batch.ts';
import type { World } from '../../host/port.ts';

/** Pauses a run that nobody drives, without taking up any of its work. */
export async function markPaused(world: World, run: RunId, by: { name: string; reason: string }): Promise<void> {
  const { journal, owner, clock } = world;
  const lease = await journal.lease(run, owner);
  try {
    const now = foldRecords(await journal.read(run));
    if (now.status === 'settled' || now.held !== null || now.stopping !== null || now.rollingBack !== null) return;
    const fact = { kind: 'run.paused', by: by.name, reason: by.reason } as const;
    const snapshot = applyFact(now, fact, Math.max(now.at, clock.now()));
    await journal.append(lease, batchOf([fact], { after: now.seq, snapshot }));
  } finally {
    await journal.release(lease);
  }
}
