import type { RunId } from '../../core/ids.ts';
import { queueConnection } from './connection.ts';
import { APPLICATION, Entries, type QueueLane } from './entries.ts';
import { startWorker, type QueueWorker, type WorkOptions } from './worker.ts';

/**
 * Distributes runs over the workers that share a PostgreSQL; DBOS keeps the queue. What a run has done is in the journal only: a
 * queued entry says no more than "someone should drive this run", so one too many is harmless, and a lost one is replaced.
 */
export interface WorkQueue {
  /** Nothing happens where the run is queued or being worked on already. WORKERS_NONE. */
  enqueue(run: RunId, lane: QueueLane): Promise<void>;
  /** Makes this process a worker. A process can be only one. */
  work(options: WorkOptions): Promise<QueueWorker>;
  close(): Promise<void>;
}

export async function openWorkQueue({ address }: { readonly address: string }): Promise<WorkQueue> {
  const connection = queueConnection(address);
  // Only those who share work with other machines need it, and it is large.
  const { DBOSClient } = await import('@dbos-inc/dbos-sdk');
  const entries = new Entries(await DBOSClient.create({ ...connection, applicationName: APPLICATION }));
  return {
    enqueue: (run, lane) => entries.add(run, lane),
    work: (options) => startWorker(connection, entries, options),
    close: () => entries.client.destroy(),
  };
}
