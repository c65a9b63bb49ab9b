import type { DBOSClient, WorkflowStatus } from '@dbos-inc/dbos-sdk';

import { Fault } from '../../core/model/fault.ts';
import { type RunId, runId } from '../../core/model/ids.ts';
import type { QueueConnection } from './connection.ts';
import { laneKey, type QueueLane } from './lanes.ts';

/** What an entry of the queue left when it ended. */
export interface DriveEnd {
  /** How many times in a row driving this run failed. */
  readonly failures: number;
  readonly reason: string | null;
}

/** One entry of the queue: one time that this run was queued. */
export interface QueueEntry {
  readonly id: string;
  readonly run: RunId;
  readonly isOpen: boolean;
  /** No worker has taken it. */
  readonly isQueued: boolean;
  /** It waits until its run wakes. */
  readonly isNap: boolean;
  /** The key of its lane. */
  readonly lane: string | undefined;
  readonly end: DriveEnd | null;
}

export const APPLICATION = 'troupe';
export const QUEUE = 'drive';
export const DRIVE = 'drive';

/** A run that stays open: the format of the journal decides which version may drive it, not DBOS. */
export const CONSTANT_VERSION = 'troupe';

export const OPEN = ['ENQUEUED', 'DELAYED', 'PENDING'] as const;

const USUAL_PRIORITY = 100;
const LONGEST_DELAY_S = 60;

/**
 * A run has so many ids for its entries and uses them in turn: so its entries are found by the primary key, whatever the collation of
 * the database is. All but the last two are deleted, so an id is free long before its turn comes again.
 */
const IDS = 8;

const DELETED_AT_ONCE = 1000;

/** An entry of any queue, as DBOS lists it. */
type TakenEntry = Pick<WorkflowStatus, 'workflowID' | 'queueName'>;

/** When a run that is queued should be taken: at once where nothing is said. */
export interface EntryTerms {
  /** How many times in a row driving it failed: it is tried again after a while. */
  readonly failures?: number;
  /** As in the journal. */
  readonly wakesAt?: number | undefined;
}

/** Of the same connection as a worker of this process. */
export async function openEntries(connection: QueueConnection): Promise<Entries> {
  // Only those who share work with other machines need it, and it is large.
  const { DBOSClient } = await import('@dbos-inc/dbos-sdk');
  return new Entries(await DBOSClient.create({ ...connection, applicationName: APPLICATION }));
}

/** The entries of the queue, by run. No statement reads entries that it does not need: finished ones are many. */
export class Entries {
  readonly client: DBOSClient;

  constructor(client: DBOSClient) {
    this.client = client;
  }

  /** Two processes that add the same run at once choose the same id, and DBOS takes it once. One that sleeps no longer is woken. */
  async add(run: RunId, lane: QueueLane, { failures = 0, wakesAt }: EntryTerms = {}): Promise<void> {
    const known = await this.of(run);
    const key = laneKey(lane);
    const open = known.filter(({ isOpen }) => isOpen);
    // What a run needs may have changed since: then no worker would look for it in its old lane.
    const stranded = open.filter((entry) => entry.isQueued && entry.lane !== key);
    if (open.length > stranded.length) return wakesAt === undefined ? await this.#wake(open) : undefined;
    if (stranded.length > 0) await this.client.cancelWorkflows(stranded.map(({ id }) => id));
    const workflowID = nextId(run, known);
    await this.client.enqueue(
      {
        queueName: QUEUE,
        workflowName: DRIVE,
        workflowID,
        appVersion: CONSTANT_VERSION,
        // Without a key it would never be taken.
        queuePartitionKey: key,
        priority: lane.priority ?? USUAL_PRIORITY,
        ...delayOf(failures, wakesAt),
      },
      run,
      failures,
    );
    if (failures === 0 && wakesAt !== undefined)
      await this.client.setWorkflowDelay(workflowID, { delayUntilEpochMS: Math.floor(wakesAt) });
    const older = known.slice(1).map(({ id }) => id);
    if (older.length > 0) await this.client.deleteWorkflows(older);
  }

  async #wake(open: readonly QueueEntry[]): Promise<void> {
    for (const { id, isNap } of open) if (isNap) await this.client.setWorkflowDelay(id, { delayUntilEpochMS: 1 });
  }

  /** All entries of the run, newest first, with how they ended. */
  async of(run: RunId): Promise<readonly QueueEntry[]> {
    return await this.#list({ workflowIDs: idsOf(run), sortDesc: true, loadOutput: true });
  }

  /** Of the runs that are queued or being worked on. DBOS has an index for those that wait for a time, and one for the others. */
  async open(): Promise<Map<RunId, Pick<QueueEntry, 'isNap'>>> {
    const delayed = await this.#list({ status: 'DELAYED' });
    // Last, so that one whose time comes in between is found.
    const others = await this.#list({ queueName: QUEUE, status: ['ENQUEUED', 'PENDING'] });
    return new Map([...delayed, ...others].map((entry) => [entry.run, entry]));
  }

  /** Deletes entries that ended before this time, by the clock of the database. */
  async deleteFinished(before: number): Promise<void> {
    const completedBefore = new Date(before).toISOString();
    const filter = { workflowName: DRIVE, completedBefore, limit: DELETED_AT_ONCE, ...BARE };
    for (let count = DELETED_AT_ONCE; count === DELETED_AT_ONCE;) {
      const ids = (await this.client.listWorkflows(filter)).map(({ workflowID }) => workflowID);
      if (ids.length > 0) await this.client.deleteWorkflows(ids);
      count = ids.length;
    }
  }

  /** Entries of all queues that a worker has taken, by worker. */
  async taken(): Promise<ReadonlyMap<string, readonly TakenEntry[]>> {
    const rows = await this.client.listWorkflows({ queuesOnly: true, status: 'PENDING', ...BARE });
    return Map.groupBy(rows, ({ executorId }) => executorId ?? '');
  }

  /** Other workers take them from here. */
  async giveBack(taken: readonly TakenEntry[] = []): Promise<void> {
    for (const [queueName = QUEUE, list] of Map.groupBy(taken, (entry) => entry.queueName)) {
      const ids = list.map(({ workflowID }) => workflowID);
      await this.client.resumeWorkflows(ids, { queueName });
    }
  }

  async #list(filter: Parameters<DBOSClient['listWorkflows']>[0]): Promise<readonly QueueEntry[]> {
    try {
      const rows = await this.client.listWorkflows({ workflowName: DRIVE, ...BARE, ...filter, loadInput: true });
      return rows.map(({ workflowID, status, input, output, queuePartitionKey }) => {
        const end = (output as DriveEnd | null | undefined) ?? null;
        const isOpen = (OPEN as readonly string[]).includes(status);
        return {
          id: workflowID,
          run: runId(workflowID.slice(0, workflowID.lastIndexOf('#'))),
          isOpen,
          isQueued: isOpen && status !== 'PENDING',
          isNap: status === 'DELAYED' && input?.[1] === 0,
          lane: queuePartitionKey,
          end,
        };
      });
    } catch (error) {
      throw noWorkers(error);
    }
  }
}

const idsOf = (run: RunId): string[] => Array.from({ length: IDS }, (_, index) => `${run}#${index + 1}`);

/** The first free one after the newest: the same for all who know the same entries. */
function nextId(run: RunId, known: readonly QueueEntry[]): string {
  const ids = idsOf(run);
  const after = ids.indexOf(known[0]?.id ?? '') + 1;
  const turns = [...ids.slice(after), ...ids.slice(0, after)];
  return turns.find((id) => known.every((entry) => entry.id !== id)) ?? `${run}#1`;
}

export function delayOf(failures: number, wakesAt = 0): { readonly delaySeconds?: number } {
  if (failures > 0) return { delaySeconds: Math.min(LONGEST_DELAY_S, 2 ** (failures - 1)) };
  // Whole seconds, which DBOS counts from now: the exact time is set afterwards.
  const delaySeconds = Math.floor((wakesAt - Date.now()) / 1000);
  return delaySeconds > 0 ? { delaySeconds } : {};
}

export const BARE = { loadInput: false, loadOutput: false } as const;

/** The first worker makes the tables of the queue. */
export function noWorkers(error: unknown): unknown {
  const code = (error as { readonly code?: unknown }).code;
  if (code !== '42P01' && code !== '3F000') return error;
  return new Fault('WORKERS_NONE', 'No worker has ever used this journal, so nothing can be queued in it.', {
    hint: 'Start one on a machine that has the project: troupe worker',
  });
}
