import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { DatabaseLink } from './database-link.ts';
import { HeldConnection } from './held-connection.ts';
import { LOCK_CLASS } from './lease-functions.ts';
import { runFrom, storedText, textFrom } from './stored-text.ts';
import type { RegisteredWorker, WorkerIdentity, WorkOffer } from './shared-journal.ts';

const own = randomUUID();

export const ownWorker = (): WorkerIdentity => ({ id: own });

const BEAT_MS = 500;

/** After a silence that is longer, others may hold this process for dead; they wait a little longer themselves. */
const SILENCE_MS = 1400;

/** One of them goes on while the machine is asleep, the other when somebody sets its time. */
const clocks = (): readonly number[] => [Date.now(), performance.now()];

/**
 * Shows other processes that this one is alive: a shared advisory lock, which the server frees at once when the process dies,
 * and a heartbeat, which also stops when it is frozen. Registered with the first lease; who only reads has none of it.
 */
export class Presence {
  readonly worker: WorkerIdentity;
  readonly #connection: HeldConnection;
  #registered: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isBeating = false;
  readonly #now: typeof clocks;
  /** When the newest heartbeat left that the database has. */
  #beatAt: readonly number[] | null = null;
  #lapses = 0;
  /** Null while it takes no runs from the queue. */
  #work: WorkOffer | null = null;

  constructor(link: DatabaseLink, worker: WorkerIdentity, now = clocks) {
    this.worker = worker;
    this.#now = now;
    this.#connection = new HeldConnection(link, async (client) => {
      await client.query('set synchronous_commit = off');
      await client.query(LOCK, [worker.id]);
      const at = this.#now();
      await client.query(FORGET_GONE);
      await client.query(BEAT, [...this.#row()]);
      this.#seen(at);
    });
  }

  /** How often others may have held this process for dead; NaN while they may. */
  lapses(): number {
    return this.#isSilent(this.#now()) ? NaN : this.#lapses;
  }

  #isSilent(now: readonly number[]): boolean {
    return this.#beatAt?.some((at, index) => (now[index] ?? 0) - at > SILENCE_MS) ?? false;
  }

  #seen(at: readonly number[]): void {
    if (this.#isSilent(at)) this.#lapses += 1;
    this.#beatAt = at;
  }

  /** Resolves once other processes can see that this one is alive. */
  register(): Promise<void> {
    this.#registered ??= this.#start().catch((error: unknown) => {
      this.#registered = undefined;
      throw error;
    });
    return this.#registered;
  }

  /** The same for a process that takes runs from the queue. */
  async registerWork(work: WorkOffer): Promise<void> {
    this.#work = work;
    await this.register();
    // Where it was registered already, the next heartbeat would tell as well.
    await this.#beat();
  }

  #row(): readonly unknown[] {
    const { id, name = '', version = '' } = this.worker;
    const work = JSON.stringify(this.#work);
    return [id, storedText(name), storedText(hostname()), process.pid, storedText(version), work];
  }

  async leave(): Promise<void> {
    clearInterval(this.#timer);
    if (this.#registered === undefined) return;
    await this.#registered.catch(() => undefined);
    if (this.#connection.client !== undefined) {
      await this.#connection.query(LEAVE, [this.worker.id]).catch(() => undefined);
    }
    await this.#connection.close();
  }

  async #start(): Promise<void> {
    await this.#connection.open();
    this.#timer = setInterval(() => void this.#beat(), BEAT_MS);
    this.#timer.unref();
  }

  /** While the connection is broken, its opening registers the worker again. */
  async #beat(): Promise<void> {
    if (this.#isBeating || this.#connection.client === undefined) return;
    this.#isBeating = true;
    const at = this.#now();
    await this.#connection.query(BEAT, this.#row()).then(
      () => this.#seen(at),
      () => undefined,
    );
    this.#isBeating = false;
  }
}

export async function registeredWorkers(link: DatabaseLink): Promise<readonly RegisteredWorker[]> {
  const rows = await link.query<WorkerRow>({ text: WORKERS });
  return rows.map(({ name, host, work, runs, ...row }) => ({
    ...row,
    name: textFrom(name),
    host: textFrom(host),
    work: JSON.parse(work) as WorkOffer | null,
    runs: runs.map(runFrom),
  }));
}

interface WorkerRow extends Omit<RegisteredWorker, 'work' | 'runs'> {
  readonly work: string;
  readonly runs: readonly string[];
}

/** False where there is no such worker. */
export async function askToDrain(link: DatabaseLink, worker: string): Promise<boolean> {
  return (await link.query({ text: DRAIN }, [worker])).length > 0;
}

const LOCK = `select pg_advisory_lock_shared(${LOCK_CLASS}, hashtext($1))`;

/** Those that left without a word are forgotten after a day. */
const FORGET_GONE = "delete from troupe.workers where beat_at < clock_timestamp() - interval '1 day'";

/** Also where somebody removed the row meanwhile. Another journal of the same process may know of no work. */
const BEAT = `
  insert into troupe.workers values ($1, $2, $3, $4, $5, $6, false, clock_timestamp(), clock_timestamp())
  on conflict (id) do update set beat_at = clock_timestamp(), work = coalesce(nullif(excluded.work, 'null'), workers.work)`;

const DRAIN = 'update troupe.workers set is_draining = true where id = $1 returning id';

/** Unless another journal of the same process is still open: then the lock is taken. */
const LEAVE = `
  with freed as materialized (select pg_advisory_unlock_shared(${LOCK_CLASS}, hashtext($1)) as is_free),
    alone as materialized (select pg_try_advisory_xact_lock(${LOCK_CLASS}, hashtext($1)) as is_alone from freed where is_free)
  delete from troupe.workers where id = $1 and (select is_alone from alone)`;

const WORKERS = `
  select id, w.owner as name, host, pid, version, work, is_draining as "isDraining",
    (extract(epoch from started_at) * 1000)::double precision as "startedAt", (extract(epoch from beat_at) * 1000)::double precision as "beatAt",
    troupe.is_alive(id, beat_at) as "isAlive",
    array(select r.run from troupe.runs r where r.worker = w.id and r.status <> 'settled' order by r.number) as runs
  from troupe.workers w order by started_at, id`;
