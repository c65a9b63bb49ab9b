import { setTimeout as pause } from 'node:timers/promises';
import type { DBOSClient } from '@dbos-inc/dbos-sdk';

import type { Json } from '../../core/model/json.ts';
import type { FiredSchedule } from '../../core/model/run-terms.ts';
import { BARE, CONSTANT_VERSION, delayOf, noWorkers, OPEN, QUEUE } from './entries.ts';
import { laneKey, projectNeed } from './lanes.ts';

/** Entries without a lane: DBOS gives a firing none, and would never take it from a queue that has lanes. */
export const FIRINGS = 'firings';
export const FIRE = 'fire';
export const BEGIN = 'begin';

/** What a schedule begins. */
export interface ScheduledOrder {
  /** The id that the project has on every machine. */
  readonly project: string;
  /** Where in the project it was added: files are named from there. */
  readonly folder: string;
  readonly by: string;
  readonly order: Json;
}

export interface NewSchedule extends ScheduledOrder {
  readonly name: string;
  /** Five fields, or six with seconds first. */
  readonly cron: string;
  readonly timeZone: string;
}

/** One time of a schedule, and what begins then. */
export type Firing = FiredSchedule & ScheduledOrder;

export interface KeptSchedule extends NewSchedule {
  /** How many firings no worker has begun yet. */
  readonly waiting: number;
  /** The last one that a worker tried to begin, and why it could not. */
  readonly last: { readonly at: number; readonly reason: string | null } | null;
}

/** Begins the run of a firing; done as well where that run exists. */
export type BeginScheduled = (firing: Firing) => Promise<void>;

const MOST_TRIES = 3;
const KEPT_MS = 86_400_000;
const AGAIN_MS = 1000;

/**
 * Schedules of a journal that machines share. DBOS finds the times, and each time becomes one firing, whichever worker
 * notices it first. A firing only queues the beginning, which waits for a worker that has the project.
 */
export class Schedules {
  readonly #client: DBOSClient;

  constructor(client: DBOSClient) {
    this.#client = client;
  }

  /** False where the name is taken. WORKERS_NONE. */
  async add({ name, cron, timeZone, ...order }: NewSchedule): Promise<boolean> {
    if ((await this.#get(name)) !== null) return false;
    const times = { schedule: cron, options: { cronTimezone: timeZone, queueName: FIRINGS } };
    try {
      const context = { name, ...order };
      await this.#client.createSchedule({ scheduleName: name, workflowName: FIRE, ...times, context });
      return true;
    } catch (error) {
      // Someone else took the name in the same moment.
      if ((await this.#get(name)) === null) throw error;
      return false;
    }
  }

  /** What of it waits for a worker is dropped. False where there is none of this name. WORKERS_NONE. */
  async remove(name: string): Promise<boolean> {
    if ((await this.#get(name)) === null) return false;
    await this.#client.deleteSchedule(name);
    await this.#dropQueued(name);
    return true;
  }

  /** WORKERS_NONE. */
  async list(): Promise<readonly KeptSchedule[]> {
    const kept = await this.#client.listSchedules({ workflowName: FIRE }).catch(refuseWithoutWorkers);
    const begins = await this.#begins({ loadOutput: true });
    const newest = begins.toSorted((one, other) => (one.workflowID < other.workflowID ? 1 : -1));
    return kept.map(({ scheduleName: name, schedule: cron, cronTimezone, context }) => {
      const own = newest.filter(({ workflowID }) => isOf(name, workflowID));
      const isOpen = (status: string): boolean => (OPEN as readonly string[]).includes(status);
      const tried = own.find(({ status }) => status === 'SUCCESS');
      const last = tried === undefined ? null : { at: timeOf(tried.workflowID), reason: tried.output as string | null };
      const waiting = own.filter(({ status }) => isOpen(status)).length;
      return { name, cron, timeZone: cronTimezone ?? 'UTC', ...(context as ScheduledOrder), waiting, last };
    });
  }

  /** The body of a firing. Throws nothing: DBOS would never start it again. A schedule that was removed meanwhile begins nothing. */
  async fire(name: string, at: number): Promise<void> {
    for (;;) {
      try {
        const kept = await this.#client.getSchedule(name);
        if (kept !== null) await this.#queue({ name, at, ...(kept.context as ScheduledOrder) }, 1);
        // It may have been removed between these two.
        if ((await this.#client.getSchedule(name)) === null) await this.#dropQueued(name);
        return await this.#forgetOld(name);
      } catch {
        await pause(AGAIN_MS);
      }
    }
  }

  /** The body of a beginning; the result is why it failed. Throws nothing, as above. */
  async begin(firing: Firing, attempt: number, begin: BeginScheduled): Promise<string | null> {
    try {
      await begin(firing);
      return null;
    } catch (error) {
      if (attempt < MOST_TRIES) await this.#queue(firing, attempt + 1).catch(() => undefined);
      return error instanceof Error ? error.message : String(error);
    }
  }

  /** The same firing twice is one entry: the id is the same. */
  async #queue(firing: Firing, attempt: number): Promise<void> {
    const { name, at, project } = firing;
    await this.#client.enqueue(
      {
        queueName: QUEUE,
        workflowName: BEGIN,
        workflowID: `${name}@${at}#${attempt}`,
        appVersion: CONSTANT_VERSION,
        queuePartitionKey: laneKey({ project, needs: [projectNeed(project)] }),
        ...delayOf(attempt - 1),
      },
      firing,
      attempt,
    );
  }

  async #dropQueued(name: string): Promise<void> {
    const queued = await this.#beginsOf(name, { status: ['ENQUEUED', 'DELAYED'] });
    if (queued.length > 0) await this.#client.cancelWorkflows(queued.map(({ workflowID }) => workflowID));
  }

  async #forgetOld(name: string): Promise<void> {
    const completedBefore = new Date(Date.now() - KEPT_MS).toISOString();
    const fired = await this.#client.listWorkflows({ scheduleName: name, completedBefore, ...BARE });
    const begun = await this.#beginsOf(name, { completedBefore });
    const old = [...fired, ...begun].map(({ workflowID }) => workflowID);
    if (old.length > 0) await this.#client.deleteWorkflows(old);
  }

  async #beginsOf(name: string, filter: Filter) {
    const found = await this.#begins({ workflow_id_prefix: `${name}@`, ...filter });
    // DBOS takes an underscore for any letter.
    return found.filter(({ workflowID }) => isOf(name, workflowID));
  }

  #begins(filter: Filter) {
    return this.#client.listWorkflows({ workflowName: BEGIN, ...BARE, ...filter });
  }

  async #get(name: string) {
    return await this.#client.getSchedule(name).catch(refuseWithoutWorkers);
  }
}

type Filter = Parameters<DBOSClient['listWorkflows']>[0];

const isOf = (name: string, id: string): boolean => id.startsWith(`${name}@`);

const timeOf = (id: string): number => Number(id.slice(id.indexOf('@') + 1, id.lastIndexOf('#')));

function refuseWithoutWorkers(error: unknown): never {
  throw noWorkers(error);
}
