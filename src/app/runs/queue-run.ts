import { isFault } from '../../core/fault.ts';
import { rootRunId, type RunId } from '../../core/ids.ts';
import { journalAddress } from '../config/project.ts';
import { listWorkers } from '../workers/run-worker.ts';
import type { Session } from './session.ts';

/** Leaves a run to the workers. Where there is no queue yet, the first worker finds the run in the journal. */
export async function queueRun(session: Session, run: RunId): Promise<void> {
  const { caller, store, host, tell } = session;
  const root = rootRunId(run);
  const { origin, project } = await host.snapshot(root);
  const { openWorkQueue } = await import('../../host/workers/work-queue.ts');
  const queue = await openWorkQueue({ address: (await journalAddress(caller)) ?? '' });
  try {
    await queue.enqueue(root, { project: origin?.id ?? project });
  } catch (error) {
    if (!isFault(error) || error.code !== 'WORKERS_NONE') throw error;
  } finally {
    await queue.close();
  }
  const isAnyAlive = (await listWorkers(store)).some(({ isAlive }) => isAlive);
  if (!isAnyAlive) tell(`No worker is running, so run ${root} waits. Start one on any machine: troupe worker`);
}
