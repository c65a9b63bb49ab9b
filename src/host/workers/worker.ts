import type { WorkflowQueue } from '@dbos-inc/dbos-sdk';

import type { RunId } from '../../core/model/ids.ts';
import type { PostgresJournal, RegisteredWorker } from '../../journal/postgres/shared-journal.ts';
import type { QueueConnection } from './connection.ts';
import { Drives, type DriveHere } from './drives.ts';
import { APPLICATION, CONSTANT_VERSION, DRIVE, QUEUE, type DriveEnd, type Entries } from './entries.ts';
import { BEGIN, FIRE, type BeginScheduled, type Firing, FIRINGS, Schedules } from './schedules.ts';
import { chooseLanes } from './choose-lanes.ts';
import { laneOf } from './lanes.ts';
import { queueForgotten } from './queue-forgotten.ts';
import { type Rounds, startRounds } from './rounds.ts';

export interface WorkOptions {
  /** How many runs it works on at once; those that only wait for others do not count. */
  readonly slots: number;
  /** What it can serve; it takes only runs that need no more. */
  readonly offers?: readonly string[];
  readonly journal: PostgresJournal;
  readonly drive: DriveHere;
  /** Called for schedules of projects that it offers. */
  readonly begin: BeginScheduled;
  /** For what a person should know and nothing depends on. */
  readonly tell?: (sentence: string) => void;
}

export interface QueueWorker {
  /** Resolves when someone has asked this worker to drain. */
  readonly drainAsked: Promise<void>;
  /** Takes nothing more, hands its runs over to other workers, and resolves when they can have them. */
  drain(): Promise<void>;
}

const LOOK_MS = 500;
const RECONCILE_MS = 2000;
const POLL_MS = 200;
const SCHEDULES_MS = 1000;
const DELETE_MS = 60_000;

/** How long a finished entry is kept: how often its run failed counts for the next one. */
const KEPT_MS = 3_600_000;

export async function startWorker(
  connection: QueueConnection,
  entries: Entries,
  options: WorkOptions,
): Promise<QueueWorker> {
  const { journal, drive, begin, offers = [], tell = () => undefined } = options;
  // The watcher of another worker must find this one alive from its first entry on.
  const id = await journal.register({ slots: options.slots, offers });
  const slots = await openSlots(options.slots);
  const queueAgain = async (run: RunId, failures = 0): Promise<void> => {
    const info = await journal.run(run);
    if (info === undefined || info.status === 'settled') return;
    await entries.add(run, await laneOf(journal, info), { failures, wakesAt: info.wakesAt });
  };
  const drives = new Drives({
    drive,
    journal,
    tell,
    onAtWork: slots.keepFor,
    onLateFailure: (run, { failures }) => queueAgain(run, failures),
  });
  const bodies: EntryBodies = {
    [DRIVE]: (run, failures) => drives.drive(run, failures),
    ...scheduleBodies(new Schedules(entries.client), begin),
  };
  // DBOS makes its tables when it is launched, and two workers that do so at the same moment end in a deadlock.
  const leave = await journal.alone(() => joinQueue({ ...connection, executorID: id }, bodies));
  await chooseLanes(connection.systemDatabasePool, new Set(offers));
  slots.keepFor(0);
  const asked = Promise.withResolvers<void>();
  const rounds = startAllRounds({ entries, journal, id }, asked.resolve);
  return {
    drainAsked: asked.promise,
    async drain() {
      slots.close();
      await rounds.stop();
      const released = await drives.stop();
      await leave();
      await entries.giveBack((await entries.taken()).get(id));
      for (const run of released) await queueAgain(run);
    },
  };
}

interface Around {
  readonly entries: Entries;
  readonly journal: PostgresJournal;
  /** Of this worker. */
  readonly id: string;
}

/** One worker looks for forgotten runs and deletes old entries: the one that lives longest. */
function startAllRounds({ entries, journal, id }: Around, onDrain: () => void): Rounds {
  let isFirst = false;
  const lookAround = async (): Promise<void> => {
    const workers = await takeFromDead(entries, journal);
    if (workers.some((one) => one.id === id && one.isDraining)) onDrain();
    isFirst = workers.find(({ isAlive, isDraining, work }) => isAlive && !isDraining && work !== null)?.id === id;
  };
  const ifFirst = (round: () => Promise<void>) => async (): Promise<void> => (isFirst ? await round() : undefined);
  const deleteOld = async (): Promise<void> => await entries.deleteFinished((await journal.now()) - KEPT_MS);
  const all = [
    startRounds(LOOK_MS, lookAround),
    startRounds(
      RECONCILE_MS,
      ifFirst(() => queueForgotten(entries, journal)),
    ),
    startRounds(DELETE_MS, ifFirst(deleteOld)),
  ];
  return { stop: async () => void (await Promise.all(all.map((one) => one.stop()))) };
}

interface Slots {
  /** So many runs that have no entry are at work and need slots as well. */
  readonly keepFor: (count: number) => void;
  readonly close: () => void;
}

/** Known to this process only: the limits of a queue that DBOS stores are the same for all workers. */
async function openSlots(count: number): Promise<Slots> {
  const { registerInternalQueue } = await import('@dbos-inc/dbos-sdk/eventreceiver');
  const queue: WorkflowQueue = registerInternalQueue(QUEUE, {
    workerConcurrency: count,
    partitionWorkerConcurrency: count,
    minPollingIntervalMs: POLL_MS,
  });
  registerInternalQueue(FIRINGS, { minPollingIntervalMs: SCHEDULES_MS });
  // Nothing is taken before it is known what this worker can serve.
  queue.workerConcurrency = 0;
  let open = count;
  const keepFor = (atWork: number): void => {
    queue.workerConcurrency = Math.max(0, open - atWork);
  };
  return {
    keepFor,
    close() {
      open = 0;
      keepFor(0);
    },
  };
}

interface EntryBodies {
  readonly [DRIVE]: (run: RunId, failures: number) => Promise<DriveEnd>;
  /** With the time that DBOS found, and what the schedule keeps. */
  readonly [FIRE]: (at: Date, context: { readonly name: string }) => Promise<void>;
  readonly [BEGIN]: (firing: Firing, attempt: number) => Promise<string | null>;
}

const scheduleBodies = (schedules: Schedules, begin: BeginScheduled): Omit<EntryBodies, typeof DRIVE> => ({
  [FIRE]: (at, { name }) => schedules.fire(name, at.getTime()),
  [BEGIN]: (firing, attempt) => schedules.begin(firing, attempt, begin),
});

/** Takes entries from here on, until the returned function was called. */
async function joinQueue(
  connection: QueueConnection & { readonly executorID: string },
  bodies: EntryBodies,
): Promise<() => Promise<void>> {
  const { DBOS } = await import('@dbos-inc/dbos-sdk');
  // No recorded steps: the body may begin again at any time, because the journal knows what is done.
  DBOS.registerWorkflow(bodies[DRIVE], { name: DRIVE });
  DBOS.registerWorkflow(bodies[FIRE], { name: FIRE });
  DBOS.registerWorkflow(bodies[BEGIN], { name: BEGIN });
  DBOS.setConfig({
    ...connection,
    name: APPLICATION,
    applicationVersion: CONSTANT_VERSION,
    useListenNotify: false,
    listenQueues: [],
    maxConcurrentQueueDispatches: 1,
    schedulerPollingIntervalMs: SCHEDULES_MS,
  });
  await DBOS.launch();
  return async () => await DBOS.shutdown();
}

/**
 * Gives back what dead workers had taken, and returns all workers. If two workers do it at once, an entry may be given out twice:
 * the journal's lease lets one of them drive.
 */
export async function takeFromDead(
  entries: Pick<Entries, 'taken' | 'giveBack'>,
  journal: Pick<PostgresJournal, 'workers'>,
): Promise<readonly RegisteredWorker[]> {
  // Before the workers are listed: a worker registers before it takes anything.
  const taken = await entries.taken();
  const workers = await journal.workers();
  const alive = new Set(workers.filter(({ isAlive }) => isAlive).map(({ id }) => id));
  for (const [worker, list] of taken) {
    if (!alive.has(worker)) await entries.giveBack(list);
  }
  return workers;
}
