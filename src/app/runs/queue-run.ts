import { rootRunId, type RunId } from '../../core/model/ids.ts';
import { journalAddress } from '../config/project.ts';
import { willBeTaken } from '../../protocol/status-word.ts';
import { whyQueued } from '../workers/needs.ts';
import { listWorkers } from '../workers/run-worker.ts';
import type { Session } from './session.ts';

/** Leaves a run to the workers, and says what keeps them from it; returns whether one can take it. Without a queue the first worker finds the run in the journal. */
export async function queueRun({ caller, store, tell }: Session, run: RunId): Promise<boolean> {
  const root = rootRunId(run);
  const { openWorkQueue } = await import('../../host/workers/work-queue.ts');
  const queue = await openWorkQueue({ address: (await journalAddress(caller)) ?? '' });
  try {
    await queue.placement(store.journal).offer(root);
  } finally {
    await queue.close();
  }
  const needs = (await store.journal.run(root))?.needs ?? [];
  const why = whyQueued(needs, await listWorkers(store));
  if (!willBeTaken(why)) tell(`Run ${root} is queued: ${why.text}.`);
  return willBeTaken(why);
}
