import type { DatabaseSync, StatementSync } from 'node:sqlite';

import type { RunId } from '../../core/ids.ts';
import type { Outcome } from '../../core/outcome.ts';
import type { NewRun, RunStatus } from '../port.ts';
import { rowSum } from './row-hash.ts';
import { damaged } from './sqlite-fault.ts';

/** A run as it stands in the database. Texts that come from outside are kept as JSON, which can hold any string. */
export interface RunRow {
  readonly number: number;
  /** Its name as SQLite can hold it: well-formed text. The header has it as it was given. */
  readonly run: string;
  readonly header: string;
  readonly status: RunStatus;
  readonly outcome: Outcome | null;
  readonly seq: number;
  readonly tip: string;
  readonly updatedAt: number;
  readonly sent: number;
  readonly pending: number;
  readonly epoch: number;
  readonly holder: string | null;
}

const COLUMNS = `number, run, header, status, outcome, seq, tip, updated_at AS updatedAt, sent, pending, epoch, holder, sum`;

type StoredRow = RunRow & { readonly sum: number };

export class RunTable {
  readonly #byName: StatementSync;
  readonly #names: StatementSync;
  readonly #newestFirst: StatementSync;
  readonly #addressed: StatementSync;
  readonly #insert: StatementSync;
  readonly #update: StatementSync;

  constructor(database: DatabaseSync) {
    this.#byName = database.prepare(`SELECT ${COLUMNS} FROM runs WHERE run = ?`);
    this.#names = database.prepare('SELECT run FROM runs NOT INDEXED');
    this.#newestFirst = database.prepare(`SELECT ${COLUMNS} FROM runs NOT INDEXED ORDER BY number DESC`);
    this.#addressed = database.prepare(`SELECT ${COLUMNS} FROM runs INDEXED BY addressed WHERE pending > 0`);
    this.#insert = database.prepare('INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
    this.#update = database.prepare(
      `UPDATE runs SET status = ?, outcome = ?, seq = ?, tip = ?, updated_at = ?,
       sent = ?, pending = ?, epoch = ?, holder = ?, sum = ? WHERE number = ?`,
    );
  }

  find(run: RunId): RunRow | undefined {
    const row = this.#byName.get(run) as unknown as StoredRow | undefined;
    if (row === undefined) return undefined;
    // The name comes from the index, the rest from the table: the sum proves that they belong together.
    return verified(row);
  }

  /** A damaged index makes a run look absent; before anyone is told so, every run is looked at. */
  confirmAbsent(run: RunId, count: number): void {
    let seen = 0;
    for (const row of this.#names.iterate()) {
      seen += 1;
      // Found again by its name, it was only started while we looked.
      if (row['run'] === run && this.find(run) === undefined) {
        throw damaged(`The index no longer finds run ${run}.`, { run });
      }
    }
    if (seen < count) throw damaged(`${count} runs were started, only ${seen} are listed.`, { count, seen });
  }

  /** Runs are numbered without a gap, so one that is missing shows. */
  *newestFirst(count: number): Generator<RunRow> {
    let expected = count;
    for (const row of this.#newestFirst.iterate() as Iterable<unknown>) {
      const { number } = row as StoredRow;
      // Started by another process since the count was taken.
      if (number > count) continue;
      if (number !== expected) break;
      yield verified(row as StoredRow);
      expected -= 1;
    }
    if (expected !== 0) throw damaged(`The entry of run number ${expected} is missing.`, { number: expected });
  }

  /** Those with messages waiting. A damaged index may list too few, one twice, or one that has none. */
  addressed(count: number): readonly RunRow[] {
    const rows = this.#addressed.all() as unknown as readonly StoredRow[];
    const distinct = new Set(rows.filter((row) => row.pending > 0).map((row) => row.number));
    if (rows.length !== count || distinct.size !== count) {
      throw damaged(`${count} runs have messages waiting, ${distinct.size} are found.`, { count });
    }
    return rows.map(verified);
  }

  insert(row: RunRow): number {
    const sum = sumOf(row);
    this.#insert.run(row.number, row.run, row.header, ...stateOf(row), sum);
    return sum;
  }

  save(row: RunRow): number {
    const sum = sumOf(row);
    this.#update.run(...stateOf(row), sum, row.number);
    return sum;
  }
}

export const headerOf = (row: RunRow): NewRun => JSON.parse(row.header) as NewRun;

/** What changes in a run's life, in the order of the columns. */
const stateOf = (row: RunRow) =>
  [row.status, row.outcome, row.seq, row.tip, row.updatedAt, row.sent, row.pending, row.epoch, row.holder] as const;

const sumOf = (row: RunRow): number => rowSum(row.number, row.run, row.header, ...stateOf(row));

function verified(row: StoredRow): StoredRow {
  if (sumOf(row) === row.sum) return row;
  throw damaged(`The entry of run ${row.run} is damaged.`, { run: row.run, number: row.number });
}
