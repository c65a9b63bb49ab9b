import type { DatabaseSync, StatementSync } from 'node:sqlite';

import type { RunId } from '../../core/model/ids.ts';
import type { Outcome } from '../../core/model/outcome.ts';
import type { NewRun, RunStatus } from '../port.ts';
import { rowSum } from '../row-hash.ts';
import { ADDRESSED } from './schema.ts';
import { damaged } from '../refusal.ts';

/** A run in the database. Texts from outside are kept as JSON, which can hold any string. */
export interface StoredRun {
  readonly number: number;
  /** Its name as SQLite can hold it: well-formed text. The header has it as it was given. */
  readonly run: string;
  readonly parent: string | null;
  readonly forkOf: string | null;
  readonly header: string;
  readonly status: RunStatus;
  readonly outcome: Outcome | null;
  /** The rest of its summary, as JSON. */
  readonly more: string | null;
  readonly seq: number;
  readonly tip: string;
  /** The commit number of its newest record. */
  readonly newest: number;
  readonly updatedAt: number;
  readonly sent: number;
  readonly pending: number;
  readonly epoch: number;
  readonly holder: string | null;
  /** How many runs have this one as parent, were forked from it, or have it as root: proves that an index lists all of them. */
  readonly children: number;
  readonly forks: number;
  readonly below: number;
}

const COLUMNS = `number, run, parent, fork_of AS forkOf, header, status, outcome, more, seq, tip, newest,
  updated_at AS updatedAt, sent, pending, epoch, holder, children, forks, below, sum`;

/** The columns as an array, which costs SQLite's binding half of what an object does; the last is the sum of the others. */
type StoredRow = readonly (string | number | null)[];

export class StoredRuns {
  readonly #byName: StatementSync;
  readonly #byKey: StatementSync;
  readonly #related: Readonly<Record<Relation, StatementSync>>;
  readonly #newestFirst: StatementSync;
  readonly #addressed: StatementSync;
  readonly #insert: StatementSync;
  readonly #update: StatementSync;

  constructor(database: DatabaseSync) {
    this.#byName = database.prepare(`SELECT ${COLUMNS} FROM runs WHERE run = ?`);
    this.#byKey = database.prepare('SELECT number, run FROM runs INDEXED BY keys WHERE run_key = ?');
    const select = `SELECT ${COLUMNS} FROM runs`;
    this.#related = {
      children: database.prepare(`${select} INDEXED BY children WHERE parent = ? ORDER BY number DESC`),
      forks: database.prepare(`${select} INDEXED BY forks WHERE fork_of = ? ORDER BY number DESC`),
      // The names of runs below a root begin with its name and a slash; the character after that is 0.
      below: database.prepare(`${select} WHERE run >= ?1 || '/' AND run < ?1 || '0'`),
    };
    this.#newestFirst = database.prepare(`SELECT ${COLUMNS} FROM runs NOT INDEXED ORDER BY number DESC`);
    this.#addressed = database.prepare(`SELECT ${COLUMNS} FROM runs INDEXED BY addressed WHERE ${ADDRESSED}`);
    for (const read of [this.#byName, ...Object.values(this.#related), this.#newestFirst, this.#addressed]) {
      read.setReturnArrays(true);
    }
    this.#insert = database.prepare(
      'INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    );
    this.#update = database.prepare(
      `UPDATE runs SET status = ?, outcome = ?, more = ?, seq = ?, tip = ?, newest = ?, updated_at = ?,
       sent = ?, pending = ?, epoch = ?, holder = ?, children = ?, forks = ?, below = ?, sum = ? WHERE number = ?`,
    );
  }

  find(run: RunId): StoredRun | undefined {
    const row = this.#byName.get(run) as unknown as StoredRow | undefined;
    if (row === undefined) return undefined;
    // The name comes from the index, the rest from the table: the sum proves that they belong together.
    return verified(row);
  }

  /** A damaged index makes a run look absent, so a second one, on the checksum of the name, has to agree. */
  confirmAbsent(run: RunId): void {
    const isListed = this.#byKey.all(keyOf(run)).some((row) => row['run'] === run.toWellFormed());
    // Another process may have started the run between the two lookups.
    if (isListed && this.find(run) === undefined) throw damaged(`The index no longer finds run ${run}.`, { run });
  }

  /** The runs of this relation, newest first; `expected` says how many the run's entry counts. */
  related(relation: Relation, run: RunId, expected?: number): readonly StoredRun[] {
    const rows = this.#related[relation].all(run) as unknown as readonly StoredRow[];
    if (expected !== undefined && rows.length !== expected) {
      throw damaged(`Run ${run} has ${expected} ${NOUN[relation]}, the index lists ${rows.length}.`, { run, expected });
    }
    const runs = rows.map(verified);
    return relation === 'below' ? runs.toSorted((a, b) => b.number - a.number) : runs;
  }

  /** Runs are numbered without a gap, so one that is missing shows. */
  *newestFirst(count: number): Generator<StoredRun> {
    let expected = count;
    for (const row of this.#newestFirst.iterate() as Iterable<unknown>) {
      const [number] = row as readonly [number];
      // Started by another process since the count was taken.
      if (number > count) continue;
      if (number !== expected) break;
      yield verified(row as StoredRow);
      expected -= 1;
    }
    if (expected !== 0) throw damaged(`The entry of run number ${expected} is missing.`, { number: expected });
  }

  /** Those with messages waiting. A damaged index may list too few, one twice, or one that has none. */
  addressed(count: number): readonly StoredRun[] {
    const rows = (this.#addressed.all() as unknown as readonly StoredRow[]).map(verified);
    const distinct = new Set(rows.filter(isAddressed).map((row) => row.number));
    if (rows.length !== count || distinct.size !== count) {
      throw damaged(`${count} runs have messages waiting, ${distinct.size} are found.`, { count });
    }
    return rows;
  }

  insert(row: StoredRun): number {
    const sum = sumOf(row);
    const { number, run, parent, forkOf, header } = row;
    this.#insert.run(number, run, keyOf(run), parent, forkOf, header, ...stateOf(row), sum);
    return sum;
  }

  save(row: StoredRun): number {
    const sum = sumOf(row);
    this.#update.run(...stateOf(row), sum, row.number);
    return sum;
  }
}

export type Relation = 'children' | 'forks' | 'below';

const NOUN: Readonly<Record<Relation, string>> = { children: 'children', forks: 'forks', below: 'runs below it' };

/** As the index `addressed` has it. */
export const isAddressed = ({ pending, status, holder }: StoredRun): boolean =>
  pending > 0 && (status !== 'settled' || holder !== null);

const keyOf = (run: string): number => rowSum(run);

/** Its name as it was given. Text that SQLite cannot hold stands there as U+FFFD, and whole in the header. */
export const nameOf = (row: StoredRun): string => (row.run.includes('\uFFFD') ? headerOf(row).run : row.run);

export const headerOf = (row: StoredRun): NewRun => JSON.parse(row.header) as NewRun;

/** The columns that change in a run's life, in order. */
const stateOf = (row: StoredRun) =>
  [
    row.status,
    row.outcome,
    row.more,
    row.seq,
    row.tip,
    row.newest,
    row.updatedAt,
    row.sent,
    row.pending,
    row.epoch,
    row.holder,
    row.children,
    row.forks,
    row.below,
  ] as const;

const sumOf = (row: StoredRun): number =>
  rowSum(row.number, row.run, row.parent, row.forkOf, row.header, ...stateOf(row));

function verified(stored: StoredRow): StoredRun {
  const row = rowOf(stored);
  if (rowSum(...stored.slice(0, -1)) === stored.at(-1)) return row;
  throw damaged(`The entry of run ${row.run} is damaged.`, { run: row.run, number: row.number });
}

function rowOf(stored: StoredRow): StoredRun {
  const [number, run, parent, forkOf, header, status, outcome, more, seq, tip, newest, ...rest] = stored;
  const [updatedAt, sent, pending, epoch, holder, children, forks, below] = rest;
  const row = { number, run, parent, forkOf, header, status, outcome, more, seq, tip, newest };
  return { ...row, updatedAt, sent, pending, epoch, holder, children, forks, below } as StoredRun;
}
