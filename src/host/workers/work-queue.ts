import type { RunId } from '../../core/model/ids.ts';
import type { Journal } from '../../journal/port.ts';
import type { Placement } from '../world.ts';
import { openQueueConnection } from './connection.ts';
import { openEntries, type DriveEnd } from './entries.ts';
import { laneOf, type QueueLane } from './lanes.ts';
import { Schedules } from './schedules.ts';
import { startWorker, type QueueWorker, type WorkOptions } from './worker.ts';

/**
 * Distributes runs over the workers that share a PostgreSQL; DBOS keeps the queue. What a run has done is in the journal only: a
 * queued entry says no more than "someone should drive this run", so one too many is harmless, and a lost one is replaced.
 */
export interface WorkQueue {
  /** Nothing happens where the run is queued or being worked on already. WORKERS_NONE. */
  enqueue(run: RunId, lane: QueueLane): Promise<void>;
  /** What went wrong when a worker last tried to drive the run; null where nothing did. */
  lastFailure(run: RunId): Promise<DriveEnd | null>;
  readonly schedules: Schedules;
  /** Queues units, so that any worker drives them. */
  readonly placement: (journal: Journal) => Placement;
  /** Makes this process a worker. A process can be only one. */
  work(options: WorkOptions): Promise<QueueWorker>;
  close(): Promise<void>;
}

export async function openWorkQueue({ address }: { readonly address: string }): Promise<WorkQueue> {
  const connection = await openQueueConnection(address);
  const entries = await openEntries(connection);
  return {
    schedules: new Schedules(entries.client),
    enqueue: (run, lane) => entries.add(run, lane),
    lastFailure: async (run) => {
      const last = (await entries.of(run)).find(({ end }) => end !== null)?.end ?? null;
      return last === null || last.failures === 0 ? null : last;
    },
    placement: (journal) => ({
      async offer(run) {
        const info = await journal.run(run);
        if (info === undefined) return false;
        const lane = await laneOf(journal, info);
        // A unit that could not be queued now is found and queued by a worker soon.
        await entries.add(run, lane, info).catch(() => undefined);
        return true;
      },
    }),
    work: (options) => startWorker(connection, entries, options),
    close: async () => {
      await entries.client.destroy();
      await connection.systemDatabasePool.end();
    },
  };
}
