import { isFault } from '../../core/fault.ts';
import type { RunId } from '../../core/ids.ts';
import type { QueueConnection } from './connection.ts';
import { queueForgotten } from './queue-forgotten.ts';
import { startRounds } from './rounds.ts';
import { APPLICATION, CONSTANT_VERSION, DRIVE, QUEUE, type DriveEnd, type Entries } from './entries.ts';
import type { PostgresJournal } from '../../journal/postgres/shared-journal.ts';

export interface WorkOptions {
  /** How many runs it drives at once. DBOS keeps one number for all workers of a queue: the worker that started last decides. */
  readonly slots: number;
  readonly journal: PostgresJournal;
  /**
   * Drives the run until it is settled or only a person can act; releases it and returns soon when the signal is aborted. What it
   * throws is not the end of the run: it is tried again later, here or elsewhere.
   */
  readonly drive: (run: RunId, signal: AbortSignal) => Promise<void>;
}

export interface QueueWorker {
  /** Takes nothing more, hands its runs over to other workers, and resolves when they can have them. */
  drain(): Promise<void>;
}

const LOOK_MS = 500;
const RECONCILE_MS = 2000;
const POLL_MS = 200;

/** Another process drives the run, or nothing is left to drive. */
const NOT_MINE = new Set(['RUN_BUSY', 'RUN_SETTLED', 'LEASE_LOST']);

export async function startWorker(
  connection: QueueConnection,
  entries: Entries,
  options: WorkOptions,
): Promise<QueueWorker> {
  const { slots, journal } = options;
  const { DBOS } = await import('@dbos-inc/dbos-sdk');
  // The watcher of another worker must find this one alive from its first entry on.
  const id = await journal.register();
  const drives = new Drives(options.drive);
  // No recorded steps: the body may begin again at any time, because the journal knows what is done.
  DBOS.registerWorkflow((run: RunId, failures: number) => drives.drive(run, failures), { name: DRIVE });
  DBOS.setConfig({
    ...connection,
    name: APPLICATION,
    applicationVersion: CONSTANT_VERSION,
    executorID: id,
    useListenNotify: false,
    maxConcurrentQueueDispatches: 1,
  });
  await DBOS.launch();
  await DBOS.registerQueue(QUEUE, {
    workerConcurrency: slots,
    partitionWorkerConcurrency: slots,
    minPollingIntervalMs: POLL_MS,
    onConflict: 'always_update',
  });
  const rounds = [
    startRounds(LOOK_MS, () => takeFromDead(entries, journal)),
    startRounds(RECONCILE_MS, () => queueForgotten(entries, journal)),
  ];
  return {
    async drain() {
      await Promise.all(rounds.map((one) => one.stop()));
      await drives.stop();
      await DBOS.shutdown();
      await entries.giveBack((await entries.taken()).get(id) ?? []);
    },
  };
}

/**
 * Gives back what dead workers had taken. If two workers do it at once, an entry may be given out twice: the journal's lease lets
 * one of them drive.
 */
async function takeFromDead(entries: Entries, journal: PostgresJournal): Promise<void> {
  const taken = await entries.taken();
  const workers = await journal.workers();
  const alive = new Set(workers.filter(({ isAlive }) => isAlive).map(({ id }) => id));
  for (const [worker, ids] of taken) {
    if (!alive.has(worker)) await entries.giveBack(ids);
  }
}

class Drives {
  readonly #drive: WorkOptions['drive'];
  readonly #stopping = new AbortController();
  readonly #underWay = new Map<RunId, Promise<DriveEnd>>();

  constructor(drive: WorkOptions['drive']) {
    this.#drive = drive;
  }

  /** Throws nothing: DBOS would never start the entry again. */
  async drive(run: RunId, failures: number): Promise<DriveEnd> {
    if (!this.#stopping.signal.aborted) {
      const underWay = this.#underWay.get(run) ?? this.#begin(run, failures);
      const end = await underWay;
      if (!this.#stopping.signal.aborted) return end;
    }
    // What is open when the worker stops must stay open, so that another one takes it.
    return await new Promise<never>(() => undefined);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#underWay.values());
  }

  #begin(run: RunId, failures: number): Promise<DriveEnd> {
    const end = this.#attempt(run, failures).finally(() => this.#underWay.delete(run));
    this.#underWay.set(run, end);
    return end;
  }

  async #attempt(run: RunId, failures: number): Promise<DriveEnd> {
    try {
      await this.#drive(run, this.#stopping.signal);
    } catch (error) {
      if (!(isFault(error) && NOT_MINE.has(error.code)))
        return { failures: failures + 1, reason: error instanceof Error ? error.message : String(error) };
    }
    return { failures: 0, reason: null };
  }
}
