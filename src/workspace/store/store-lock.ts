import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '../../core/fault.ts';

/**
 * Any number may add to a store at once, but whoever removes from it must be alone: else an object that somebody is about
 * to name could go in that moment. Held as SQLite's lock on an empty database, which the system lets go by itself when a
 * process dies.
 */
export class StoreLock {
  readonly #database: DatabaseSync;
  #sharing = 0;
  /** Taken while the lock changes hands within this process. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(path: string) {
    this.#database = new DatabaseSync(path, { timeout: 0 });
    this.#database.exec('PRAGMA journal_mode = DELETE');
  }

  async shared<T>(work: () => Promise<T>): Promise<T> {
    await this.#inTurn(async () => {
      if (this.#sharing === 0) await this.#begin('BEGIN; SELECT count(*) FROM sqlite_schema', Infinity);
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
      const deadline = Date.now() + (options.waitMs ?? DEFAULT_WAIT_MS);
      while (this.#sharing > 0) await this.#pause(deadline);
      await this.#begin('BEGIN EXCLUSIVE', deadline);
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

  async #begin(sql: string, deadline: number): Promise<void> {
    for (;;) {
      try {
        this.#database.exec(sql);
        return;
      } catch (error) {
        if (this.#database.isTransaction) this.#end();
        if (!isBusy(error)) throw error;
        await this.#pause(deadline);
      }
    }
  }

  #end(): void {
    this.#database.exec('ROLLBACK');
  }

  async #pause(deadline: number): Promise<void> {
    if (Date.now() > deadline) {
      throw new Fault('STORE_BUSY', 'Files are being recorded or restored at this moment.', {
        hint: 'Try again when the runs under way have come to rest.',
      });
    }
    await delay(POLL_MS);
  }
}

const DEFAULT_WAIT_MS = 30_000;
const POLL_MS = 20;
const SQLITE_BUSY = 5;

function isBusy(error: unknown): boolean {
  return (error as { errcode?: unknown }).errcode === SQLITE_BUSY;
}
