import type { DatabaseSync } from 'node:sqlite';

import { isFault, type Problem } from '../../core/model/fault.ts';
import { rootRunId, runId, type BodyHash, type RunId } from '../../core/model/ids.ts';
import type { Json } from '../../core/model/json.ts';
import { contentHash } from '../content-hash.ts';
import type {
  Batch,
  ChangeListener,
  InboxMessage,
  Journal,
  Lease,
  NewRecord,
  NewRun,
  RunFilter,
  RunInfo,
  RunSummary,
  StoredRecord,
  TreeRecord,
} from '../port.ts';
import { bodyMissing, journalClosed, runUnknown } from '../refusal.ts';
import { atOneMoment } from './at-one-moment.ts';
import { ChangeWatch } from './change-watch.ts';
import { openDatabase } from './database-file.ts';
import { GroupCommit, type Commit } from './group-commit.ts';
import { HeadAnchor } from './head-anchor.ts';
import { holderOf, remembered, systemProcesses, type Processes } from './holder.ts';
import { findStoredRun, knownRun } from './known-run.ts';
import { writtenRecord, type WrittenRecord } from '../written-record.ts';
import { headerOf, type Relation, type StoredRun } from './run-table.ts';
import { RecentRows } from './recent-rows.ts';
import { SpaceReserve } from './space-reserve.ts';
import { shield } from './sqlite-fault.ts';
import { createTables, type Tables } from './tables.ts';
import { readTreePage, storedTree } from './tree.ts';
import { verifyJournal } from './verify.ts';
import { Writes, type WrittenBatch } from './writes.ts';

export interface SqliteJournal extends Journal {
  /** Every problem of the journal, as `troupe doctor` reports it. Reads all of it. */
  verify(): Promise<readonly Problem[]>;
}

export interface SqliteJournalOptions {
  /** The folder of `journal.db`, made when it is missing. */
  readonly home: string;
  /** This process and whether another one lives. Default: as the operating system says. */
  readonly processes?: Processes;
}

/** The journal on disk: accepted records survive a killed process and a power failure. */
export async function openSqliteJournal(options: SqliteJournalOptions): Promise<SqliteJournal> {
  const { home } = options;
  return shield(home, () => journalOn(openDatabase(home), options));
}

/** For a database that is open already. */
export function journalOn(database: DatabaseSync, options: SqliteJournalOptions): SqliteJournal {
  try {
    return new OpenJournal(database, options);
  } catch (error) {
    database.close();
    throw error;
  }
}

class OpenJournal implements SqliteJournal {
  readonly #home: string;
  readonly #database: DatabaseSync;
  readonly #processes: Processes;
  readonly #tables: Tables;
  readonly #writes: Writes;
  readonly #anchor: HeadAnchor;
  readonly #watch: ChangeWatch;
  readonly #commits: GroupCommit;
  readonly #reserve: SpaceReserve;
  #closing: Promise<void> | undefined;

  constructor(database: DatabaseSync, options: SqliteJournalOptions) {
    this.#home = options.home;
    this.#database = database;
    this.#processes = options.processes ?? systemProcesses();
    this.#tables = createTables(database);
    const recent = new RecentRows(database);
    this.#writes = new Writes({ tables: this.#tables, recent, processes: this.#processes });
    this.#watch = new ChangeWatch(database);
    this.#anchor = new HeadAnchor(this.#home, () => this.#tables.head.read());
    this.#commits = new GroupCommit({
      home: this.#home,
      database,
      head: this.#tables.head,
      recent,
      anchor: this.#anchor,
      onCommitted: (changed) => this.#watch.announce(changed),
    });
    this.#anchor.settle();
    this.#reserve = new SpaceReserve(this.#home);
    this.#reserve.fill();
  }

  create(header: NewRun, owner: string, first?: Batch): Promise<Lease> {
    const written = first && writtenBatch(first, writtenCopy);
    return this.#write((commit) => this.#writes.create(commit, header, { owner, first: written }));
  }

  async append(lease: Lease, batch: Batch): Promise<void> {
    const written = writtenBatch(batch);
    const append = () => this.#write((commit) => this.#writes.append(commit, lease, written));
    await append().catch((error: unknown) => {
      if (batch.isLast !== true || !isFault(error) || error.code !== 'JOURNAL_FULL') throw error;
      this.#reserve.release();
      return append();
    });
  }

  async read(run: RunId, after = 0, limit?: number): Promise<readonly StoredRecord[]> {
    return this.#read((tables) => tables.records.read(knownRun(tables, run), Math.max(0, after), limit));
  }

  async tree(root: RunId, after = 0, limit = Infinity): Promise<readonly TreeRecord[]> {
    return this.#read((tables) => {
      const runs = this.#treeRuns(tables, root);
      if (!runs.some(({ run }) => run === root.toWellFormed())) throw runUnknown(root);
      return readTreePage(tables, runs, { after, limit });
    });
  }

  #treeRuns(tables: Tables, root: RunId): readonly StoredRun[] {
    return atOneMoment(this.#database, () => storedTree(tables, root));
  }

  async run(run: RunId): Promise<RunInfo | undefined> {
    return this.#read((tables) => {
      const row = findStoredRun(tables, run);
      return row && infoOf(row, this.#processes.isAlive);
    });
  }

  async runs(filter: RunFilter = {}): Promise<readonly RunInfo[]> {
    return this.#read((tables) => {
      const found: RunInfo[] = [];
      const isAlive = remembered(this.#processes.isAlive);
      for (const row of this.#candidates(tables, filter)) {
        if (found.length === filter.limit) break;
        if (isMatch(row, filter)) found.push(infoOf(row, isAlive));
      }
      return found;
    });
  }

  /** The rows an index names for the filter; without one for it, all rows, newest first. */
  #candidates(tables: Tables, { parent, forkedFrom, root }: RunFilter): Iterable<StoredRun> {
    const related = (relation: Relation, run: RunId): readonly StoredRun[] =>
      atOneMoment(this.#database, () => tables.runs.related(relation, run, tables.runs.find(run)?.[relation]));
    if (forkedFrom !== undefined) return related('forks', forkedFrom);
    if (parent !== undefined && parent !== null) return related('children', parent);
    if (root !== undefined) return this.#treeRuns(tables, root);
    return tables.runs.newestFirst(tables.head.read().runs);
  }

  async putBody(body: Json): Promise<BodyHash> {
    const text = JSON.stringify(body);
    const hash = contentHash(text);
    await this.#write((commit) => this.#writes.putBody(commit, hash, text));
    return hash;
  }

  async getBody(hash: BodyHash): Promise<Json> {
    const text = this.#read((tables) => tables.bodies.get(hash));
    if (text === undefined) throw bodyMissing(hash);
    return JSON.parse(text) as Json;
  }

  lease(run: RunId, owner: string, from?: Lease): Promise<Lease> {
    this.#reserve.fill();
    return this.#write((commit) => this.#writes.lease(commit, run, { owner, from }));
  }

  release(lease: Lease): Promise<void> {
    return this.#write((commit) => this.#writes.release(commit, lease));
  }

  send(run: RunId, message: InboxMessage): Promise<void> {
    return this.#write((commit) => this.#writes.send(commit, run, message));
  }

  async inbox(run: RunId): Promise<readonly InboxMessage[]> {
    return this.#read((tables) => tables.inbox.pending(knownRun(tables, run)));
  }

  async addressed(): Promise<readonly RunId[]> {
    return this.#read((tables) => {
      const count = tables.head.read().addressed;
      if (count === 0) return [];
      return atOneMoment(this.#database, () => {
        const rows = tables.runs.addressed(tables.head.read().addressed);
        const isAlive = remembered(this.#processes.isAlive);
        return rows.filter((row) => row.status !== 'settled' || isDriven(row, isAlive)).map((row) => headerOf(row).run);
      });
    });
  }

  onChange(listener: ChangeListener): () => void {
    if (this.#closing !== undefined) throw journalClosed();
    return this.#watch.add(listener);
  }

  async verify(): Promise<readonly Problem[]> {
    return this.#read((tables) => verifyJournal(this.#home, this.#database, tables));
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#watch.stop();
    this.#commits.flush();
    shield(this.#home, () => {
      // Throws if the database lost its end meanwhile: closing it would fold the rest of its -wal file into it.
      this.#anchor.settle();
      this.#database.close();
    });
    await this.#anchor.close();
  }

  async #write<T>(write: (commit: Commit) => T): Promise<T> {
    if (this.#closing !== undefined) throw journalClosed();
    return this.#commits.submit(write);
  }

  #read<T>(look: (tables: Tables) => T): T {
    if (this.#closing !== undefined) throw journalClosed();
    return shield(this.#home, () => look(this.#tables));
  }
}

function isMatch(row: StoredRun, { parent, forkedFrom, root, status }: RunFilter): boolean {
  if (status !== undefined && row.status !== status) return false;
  return isNamed(row.parent, parent) && isNamed(row.forkOf, forkedFrom) && isNamed(rootRunId(runId(row.run)), root);
}

/** Names are compared as SQLite holds them: well-formed. */
const isNamed = (held: string | null, name: RunId | null | undefined): boolean =>
  name === undefined || held === (name?.toWellFormed() ?? null);

function infoOf(row: StoredRun, isAlive: Processes['isAlive']): RunInfo {
  const { status, outcome, seq, tip, updatedAt } = row;
  const more = row.more === null ? {} : (JSON.parse(row.more) as Partial<RunSummary>);
  const driven = isDriven(row, isAlive);
  return { ...headerOf(row), status, outcome, ...more, seq, tip, updatedAt, driven };
}

function isDriven(row: StoredRun, isAlive: Processes['isAlive']): boolean {
  const holder = holderOf(row.holder);
  return holder !== null && isAlive(holder);
}

/** The records as text, made outside the transaction so that it is short. */
function writtenBatch(batch: Batch, written: (record: NewRecord) => WrittenRecord = writtenRecord): WrittenBatch {
  return { ...batch, records: batch.records.map(written) };
}

/** With the commit number it brings along. */
const writtenCopy = (record: NewRecord): WrittenRecord =>
  record.commit === undefined ? writtenRecord(record) : { ...writtenRecord(record), commit: record.commit };
