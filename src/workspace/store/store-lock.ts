import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '../../core/model/fault.ts';

/**
 * Any number of processes may add to a store at once, but removing needs exclusive access: else an object could go just
 * before it is referenced. Held as SQLite's lock on an empty database, which the system releases when a process dies.
 */
export class StoreLock {
  readonly #database: DatabaseSync;
  #sharing = 0;
  /** Taken while the lock changes hands within this process. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(path: string) {
    this.#database = new DatabaseSync(path, { timeout: 0 });
  }

  /** Not while somebody removes: they are waited for a little, since that takes moments mostly. */
  static async open(path: string, { waitMs = OPEN_WAIT_MS } = {}): Promise<StoreLock> {
    const lock = new StoreLock(path);
    try {
      await lock.#begin('PRAGMA journal_mode = DELETE', { until: Date.now() + waitMs, busy: PRUNED_NOW });
      return lock;
    } catch (error) {
      lock.close();
      throw error;
    }
  }

  async shared<T>(work: () => Promise<T>): Promise<T> {
    await this.#inTurn(async () => {
      if (this.#sharing === 0) await this.#begin(SHARE, FOR_EVER);
      this.#sharing += 1;
    });
    try {
      return await work();
    } finally {
      this.#sharing -= 1;
      if (this.#sharing === 0) this.#end();
    }
  }

  async alone<T>(work: () => Promise<T>, options: { readonly waitMs?: number } = {}): Promise<T> {
    return this.#inTurn(async () => {
      const patience = { until: Date.now() + (options.waitMs ?? DEFAULT_WAIT_MS), busy: USED_NOW };
      while (this.#sharing > 0) await pause(patience);
      await this.#begin('BEGIN EXCLUSIVE', patience);
      try {
        return await work();
      } finally {
        this.#end();
      }
    });
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(work);
    this.#turn = mine.catch(() => undefined);
    return mine;
  }

  async #begin(sql: string, patience: Patience): Promise<void> {
    for (;;) {
      try {
        this.#database.exec(sql);
        return;
      } catch (error) {
        if (this.#database.isTransaction) this.#end();
        if (!isBusy(error)) throw error;
        await pause(patience);
      }
    }
  }

  #end(): void {
    this.#database.exec('ROLLBACK');
  }
}

/** How long to wait, and what to say when that was not enough. */
interface Patience {
  readonly until: number;
  readonly busy: string;
}

const USED_NOW = 'Files are being recorded or restored at this moment.';
const PRUNED_NOW = 'Another process is removing old files from the store at this moment.';
const FOR_EVER: Patience = { until: Infinity, busy: PRUNED_NOW };
const SHARE = 'BEGIN; SELECT count(*) FROM sqlite_schema';

async function pause({ until, busy }: Patience): Promise<void> {
  if (Date.now() >= until) {
    const hint = busy === PRUNED_NOW ? 'Try again when it is done.' : 'Try again when no run is in progress.';
    throw new Fault('STORE_BUSY', busy, { hint });
  }
  await delay(POLL_MS);
}

const DEFAULT_WAIT_MS = 30_000;
const OPEN_WAIT_MS = 5000;
const POLL_MS = 20;
const SQLITE_BUSY = 5;

/** The lowest byte is the error, the others say more about it. */
function isBusy(error: unknown): boolean {
  return (Number((error as { errcode?: unknown }).errcode) & 0xff) === SQLITE_BUSY;
}
