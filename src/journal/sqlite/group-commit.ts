import type { DatabaseSync, StatementSync } from 'node:sqlite';

import type { RunId } from '../../core/model/ids.ts';
import type { HeadAnchor } from './head-anchor.ts';
import { refuseTruncated, type HeadRow, type HeadTable } from './head.ts';
import { rowHash } from '../row-hash.ts';
import type { RecentRows } from './recent-rows.ts';
import { toFault } from './sqlite-fault.ts';

/** What a write may do besides writing rows. */
export interface Commit {
  /** Its number. */
  readonly number: number;
  /** Makes the number higher than this one. */
  goBeyond(number: number): void;
  /** The number of a new run. */
  nextRun(): number;
  /** So many more runs have messages waiting. */
  address(change: number): void;
  /** Listeners are notified that this run changed. */
  touch(run: RunId): void;
  /** Reports that something was written, by its hash; a write without this changed nothing. */
  note(digest: string | number): void;
}

export interface GroupCommitOptions {
  readonly home: string;
  readonly database: DatabaseSync;
  readonly head: HeadTable;
  readonly recent: RecentRows;
  readonly anchor: HeadAnchor;
  readonly onCommitted: (changed: readonly RunId[]) => void;
}

interface Job {
  readonly write: (commit: Commit) => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * All writes of one turn of the event loop share one transaction, and so one wait for the disk. A write is accepted
 * when that transaction is on the disk, not before. One that is refused or fails leaves nothing behind and does not disturb the others.
 */
export class GroupCommit {
  readonly #options: GroupCommitOptions;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #savepoint: StatementSync;
  readonly #keep: StatementSync;
  readonly #undo: StatementSync;
  #queue: Job[] = [];

  constructor(options: GroupCommitOptions) {
    this.#options = options;
    const { database } = options;
    this.#begin = database.prepare('BEGIN IMMEDIATE');
    this.#commit = database.prepare('COMMIT');
    this.#savepoint = database.prepare('SAVEPOINT job');
    this.#keep = database.prepare('RELEASE job');
    this.#undo = database.prepare('ROLLBACK TO job');
  }

  submit<T>(write: (commit: Commit) => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#queue.length === 0) setImmediate(() => this.flush());
      this.#queue.push({ write, resolve: resolve as (value: unknown) => void, reject });
    });
  }

  flush(): void {
    const jobs = this.#queue;
    if (jobs.length === 0) return;
    this.#queue = [];
    try {
      const settle = this.#transact(jobs);
      for (const tell of settle) tell();
    } catch (error) {
      this.#rollback();
      const fault = toFault(error, this.#options.home);
      for (const job of jobs) job.reject(fault);
    }
  }

  /** Returns how to answer each caller; none is answered before the data is on disk. */
  #transact(jobs: readonly Job[]): readonly (() => void)[] {
    const { home, head, recent, anchor, onCommitted } = this.#options;
    this.#begin.run();
    recent.begin();
    const before = recent.head ?? head.read();
    refuseTruncated(home, anchor.read(), before);
    const group = new OpenGroup(before);
    const [only] = jobs;
    const isAlone = jobs.length === 1 && only !== undefined;
    const settle = isAlone ? [this.#attemptAlone(only, group)] : jobs.map((job) => this.#attempt(job, group));
    if (group.isEmpty) {
      this.#rollback();
      return settle;
    }
    const after = group.head();
    head.save(after);
    this.#commit.run();
    recent.committed(after);
    anchor.write(after);
    onCommitted(group.touched);
    return settle;
  }

  #attempt(job: Job, group: OpenGroup): () => void {
    const mark = group.mark();
    this.#savepoint.run();
    try {
      const value = job.write(group);
      this.#keep.run();
      return () => job.resolve(value);
    } catch (error) {
      const { database, home } = this.#options;
      // After some errors, such as a failed disk, SQLite has already rolled back what the others wrote.
      if (!database.isTransaction) throw error;
      this.#undo.run();
      this.#keep.run();
      this.#options.recent.forget();
      group.backTo(mark);
      return () => job.reject(toFault(error, home));
    }
  }

  /** Alone in the transaction, a refused write needs no savepoint: all of it is rolled back. */
  #attemptAlone(job: Job, group: OpenGroup): () => void {
    const mark = group.mark();
    try {
      const value = job.write(group);
      return () => job.resolve(value);
    } catch (error) {
      group.backTo(mark);
      return () => job.reject(toFault(error, this.#options.home));
    }
  }

  /** SQLite itself ends the transaction after some failures, such as a full disk. */
  #rollback(): void {
    this.#options.recent.forget();
    if (this.#options.database.isTransaction) this.#options.database.exec('ROLLBACK');
  }
}

interface Mark {
  readonly number: number;
  readonly digests: number;
  readonly touched: number;
  readonly runs: number;
  readonly addressed: number;
}

class OpenGroup implements Commit {
  readonly #before: HeadRow;
  readonly #digests: (string | number)[] = [];
  readonly touched: RunId[] = [];
  #number: number;
  #runs: number;
  #addressed: number;

  constructor(before: HeadRow) {
    this.#before = before;
    this.#number = before.number + 1;
    this.#runs = before.runs;
    this.#addressed = before.addressed;
  }

  get isEmpty(): boolean {
    return this.#digests.length === 0;
  }

  get number(): number {
    return this.#number;
  }

  goBeyond(number: number): void {
    this.#number = Math.max(this.#number, number + 1);
  }

  touch(run: RunId): void {
    this.touched.push(run);
  }

  nextRun(): number {
    this.#runs += 1;
    return this.#runs;
  }

  address(change: number): void {
    this.#addressed += change;
  }

  note(digest: string | number): void {
    this.#digests.push(digest);
  }

  mark(): Mark {
    const [digests, touched] = [this.#digests.length, this.touched.length];
    return { number: this.#number, digests, touched, runs: this.#runs, addressed: this.#addressed };
  }

  backTo(mark: Mark): void {
    this.#number = mark.number;
    this.#digests.length = mark.digests;
    this.touched.length = mark.touched;
    this.#runs = mark.runs;
    this.#addressed = mark.addressed;
  }

  head(): HeadRow {
    const hash = rowHash(this.#before.hash, ...this.#digests);
    return { number: this.#number, hash, runs: this.#runs, addressed: this.#addressed };
  }
}
