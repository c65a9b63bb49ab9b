import pg from 'pg';

import { isFault } from '../../core/model/fault.ts';
import { isPassingError, isSlowStatement } from '../../lib/passing-database-error.ts';
import { journalClosed } from '../refusal.ts';
import type { JournalAddress } from '../journal-address.ts';
import { LOCK_CLASS } from './lease-functions.ts';
import { postgresFault, reasonOf } from './postgres-fault.ts';
import type { AwayListener } from './shared-journal.ts';

/** Two connections append, two do everything else; `HeldConnection` has one each for liveness and notifications. */
const POOL_SIZE = 2;

/** The server ends a statement that takes longer. So a reply that takes longer still is lost. */
const STATEMENT_MS = 15_000;
const REPLY_MS = 20_000;
const CONNECT_MS = 10_000;

const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 500;

export type PoolName = 'append' | 'other';

/** One database: its connections, and the patience with a server that restarts or is away. */
export class DatabaseLink {
  readonly address: JournalAddress;
  readonly #listener: AwayListener;
  readonly #pools: Readonly<Record<PoolName, pg.Pool>>;
  readonly #closing = new AbortController();
  /** How many calls wait for the server. */
  #waiting = 0;

  constructor(address: JournalAddress, listener: AwayListener = {}) {
    this.address = address;
    this.#listener = listener;
    const pool = (): pg.Pool => {
      const made = new pg.Pool({ ...this.settings(), max: POOL_SIZE, allowExitOnIdle: true });
      // A connection that breaks while it rests is replaced by the next call.
      made.on('error', () => undefined);
      return made;
    };
    this.#pools = { append: pool(), other: pool() };
  }

  settings(): pg.ClientConfig {
    return {
      connectionString: this.address.url,
      application_name: 'troupe',
      keepAlive: true,
      // Plans are kept: one that was made while a table was small would read all of it for ever, so rows are looked up one by one.
      // A scan that has no index then counts as very costly, and the server would compile each such statement to machine code,
      // which takes longer.
      options: '-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c jit=off',
      connectionTimeoutMillis: CONNECT_MS,
      statement_timeout: STATEMENT_MS,
      query_timeout: REPLY_MS,
      types: { getTypeParser },
    };
  }

  get isClosing(): boolean {
    return this.#closing.signal.aborted;
  }

  /** Sends the statement until it is answered. It must be one that can be repeated. */
  async query<Row extends pg.QueryResultRow>(statement: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    const { pool = 'other', ...named } = statement;
    const call = (): Promise<pg.QueryResult<Row>> => this.#pools[pool].query<Row>({ ...named, values: [...values] });
    // What a run did must not be lost because the server is slow; what is read can be asked for again.
    const { rows } = await (pool === 'append' ? this.#repeat(call, isPassingOrSlow) : this.patiently(call));
    return rows;
  }

  /** Repeats the call while the server is away or full; other errors are thrown as faults. */
  patiently<T>(call: () => Promise<T>): Promise<T> {
    return this.#repeat(call, isPassingError);
  }

  /** Repeats the call until it succeeds or the journal is closed. */
  untilDone<T>(call: () => Promise<T>): Promise<T> {
    return this.#repeat(call, () => true);
  }

  async #repeat<T>(call: () => Promise<T>, canPass: (error: unknown) => boolean): Promise<T> {
    const attempt = async (): Promise<Attempt<T>> => {
      try {
        return { answer: await call() };
      } catch (error) {
        if (isFault(error) || !canPass(error)) throw postgresFault(error, this.address);
        return { error };
      }
    };
    let last = await attempt();
    // A single broken connection is replaced without a word.
    if ('error' in last) last = await this.#again(attempt);
    if ('answer' in last) return last.answer;
    this.#noteWaiting(last.error);
    try {
      for (let waitMs = 2 * FIRST_WAIT_MS; 'error' in last; waitMs = Math.min(LONGEST_WAIT_MS, 2 * waitMs)) {
        await this.pause(waitMs);
        last = await this.#again(attempt);
      }
      return last.answer;
    } finally {
      this.#noteOver();
    }
  }

  #again<T>(attempt: () => Promise<Attempt<T>>): Promise<Attempt<T>> {
    if (this.isClosing) throw journalClosed();
    return attempt();
  }

  /** Waits for its turn as long as it takes. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    const client = new pg.Client(this.settings());
    client.on('error', () => undefined);
    try {
      await client.connect();
      // Not one statement that waits: a new index waits for all statements that are under way.
      const take = `select pg_try_advisory_lock(${LOCK_CLASS}, 1) as has_lock`;
      while ((await client.query<{ has_lock: boolean }>(take)).rows[0]?.has_lock !== true)
        await this.pause(FIRST_WAIT_MS);
      return await work();
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  /** Resolves after the time, or when the journal is closed. */
  pause(ms: number): Promise<void> {
    const { signal } = this.#closing;
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal.addEventListener('abort', end);
    });
  }

  /** From now on failed calls are not repeated. */
  stopWaiting(): void {
    this.#closing.abort();
  }

  async close(): Promise<void> {
    this.stopWaiting();
    await Promise.all(Object.values(this.#pools).map((pool) => pool.end()));
  }

  /** The first one that waits tells; what others can still do, such as read from a full disk, does not end it. */
  #noteWaiting(error: unknown): void {
    this.#waiting += 1;
    if (this.#waiting === 1) this.#listener.onAway?.(this.address.shown, reasonOf(error));
  }

  #noteOver(): void {
    this.#waiting -= 1;
    if (this.#waiting === 0 && !this.isClosing) this.#listener.onBack?.(this.address.shown);
  }
}

type Attempt<T> = { readonly answer: T } | { readonly error: unknown };

const isPassingOrSlow = (error: unknown): boolean => isPassingError(error) || isSlowStatement(error);

/** With a name it is prepared once per connection. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
  readonly pool?: PoolName;
}

/** PostgreSQL's type `bigint`: numbers of rows and commits stay far below 2^53. */
const BIGINT: number = pg.types.builtins.INT8;

const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === BIGINT && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format);
