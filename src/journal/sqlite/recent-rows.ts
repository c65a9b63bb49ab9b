import type { DatabaseSync, StatementSync } from 'node:sqlite';

import type { RunId } from '../../core/model/ids.ts';
import type { HeadRow } from './head.ts';
import type { StoredRun } from './run-table.ts';

/** So many rows are kept. */
const MOST = 1000;

/**
 * The rows that this process wrote last, so that its next write need not read and check them again. They count while no
 * other connection has committed anything, which SQLite reports at the beginning of each transaction.
 */
export class RecentRows {
  readonly #version: StatementSync;
  readonly #runs = new Map<RunId, StoredRun>();
  #head: HeadRow | undefined;
  #seen: unknown;

  constructor(database: DatabaseSync) {
    this.#version = database.prepare('PRAGMA data_version');
    this.#version.setReturnArrays(true);
  }

  /** Called inside each transaction, before anything is read. */
  begin(): void {
    const [version] = this.#version.get() as unknown as readonly [number];
    if (version !== this.#seen) this.forget();
    this.#seen = version;
  }

  get head(): HeadRow | undefined {
    return this.#head;
  }

  committed(head: HeadRow): void {
    this.#head = head;
  }

  run(run: RunId): StoredRun | undefined {
    return this.#runs.get(run);
  }

  wrote(run: RunId, row: StoredRun): void {
    if (this.#runs.size >= MOST) this.#runs.clear();
    this.#runs.set(run, row);
  }

  /** After a write that was rolled back. */
  forget(): void {
    this.#runs.clear();
    this.#head = undefined;
  }
}
