import type { DBOSClient, WorkflowStatus } from '@dbos-inc/dbos-sdk';

import { Fault } from '../../core/model/fault.ts';
import { type RunId, runId } from '../../core/model/ids.ts';
import { laneKey, type QueueLane } from './lanes.ts';

/** What an entry of the queue left when it ended. */
export interface DriveEnd {
  /** How many times in a row driving this run failed. */
  readonly failures: number;
  readonly reason: string | null;
}

/** One entry of the queue: the `n`th time that this run was queued. */
export interface QueueEntry {
  readonly id: string;
  readonly run: RunId;
  readonly n: number;
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

/** An entry of any queue, as DBOS lists it. */
type TakenEntry = Pick<WorkflowStatus, 'workflowID' | 'queueName'>;

/** When a run that is queued should be taken: at once where nothing is said. */
export interface EntryTerms {
  /** How many times in a row driving it failed: it is tried again after a while. */
  readonly failures?: number;
  /** As in the journal. */
  readonly wakesAt?: number | undefined;
}

/** The entries of the queue, by run. */
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
    const newest = Math.max(0, ...known.map(({ n }) => n));
    const workflowID = `${run}#${newest + 1}`;
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
    const older = known.filter(({ n }) => n < newest).map(({ id }) => id);
    if (older.length > 0) await this.client.deleteWorkflows(older);
  }

  async #wake(open: readonly QueueEntry[]): Promise<void> {
    for (const { id, isNap } of open) if (isNap) await this.client.setWorkflowDelay(id, { delayUntilEpochMS: 1 });
  }

  /** All entries of the run, with how they ended. */
  async of(run: RunId): Promise<readonly QueueEntry[]> {
    const rows = await this.#list({ workflow_id_prefix: `${run}#`, loadOutput: true });
    return rows.filter((entry) => entry.run === run);
  }

  /** Of the runs that are queued or being worked on. */
  async open(): Promise<Map<RunId, Pick<QueueEntry, 'isNap'>>> {
    const rows = await this.#list({ status: [...OPEN] });
    return new Map(rows.map((entry) => [entry.run, entry]));
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
        const mark = workflowID.lastIndexOf('#');
        const end = (output as DriveEnd | null | undefined) ?? null;
        const isOpen = (OPEN as readonly string[]).includes(status);
        return {
          id: workflowID,
          run: runId(workflowID.slice(0, mark)),
          n: Number(workflowID.slice(mark + 1)),
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
