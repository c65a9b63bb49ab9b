import type { DatabaseSync, StatementSync } from 'node:sqlite';

import type { InboxMessage } from '../port.ts';
import { place } from './place.ts';
import { rowSum } from '../row-hash.ts';
import { headerOf, type StoredRun } from './run-table.ts';
import { damaged } from '../refusal.ts';

interface StoredMessage {
  readonly place: number;
  readonly id: string;
  readonly message: string;
  readonly consumed: number;
  readonly sum: number;
}

/** Messages stay after they were consumed, so that the same id is never taken twice [J6]. */
export class InboxTable {
  readonly #range: StatementSync;
  readonly #byId: StatementSync;
  readonly #insert: StatementSync;
  readonly #consume: StatementSync;

  constructor(database: DatabaseSync) {
    const columns = 'place, id, message, consumed, sum';
    this.#range = database.prepare(`SELECT ${columns} FROM inbox WHERE place > ? AND place <= ?`);
    this.#byId = database.prepare(`SELECT ${columns} FROM inbox WHERE place > ? AND place <= ? AND id = ?`);
    this.#insert = database.prepare('INSERT INTO inbox VALUES (?, ?, ?, ?, ?)');
    this.#consume = database.prepare('UPDATE inbox SET consumed = 1, sum = ? WHERE place = ?');
  }

  has(run: StoredRun, id: string): boolean {
    return this.#byId.get(...bounds(run), JSON.stringify(id)) !== undefined;
  }

  add(run: StoredRun, message: InboxMessage): void {
    const id = JSON.stringify(message.id);
    const row = { place: place(run.number, run.sent + 1), id, message: JSON.stringify(message), consumed: 0 };
    this.#insert.run(row.place, row.id, row.message, row.consumed, sumOf(row));
  }

  /** How many of these were still pending. */
  consume(run: StoredRun, ids: readonly string[]): number {
    let consumed = 0;
    for (const id of ids) {
      const row = this.#byId.get(...bounds(run), JSON.stringify(id)) as unknown as StoredMessage | undefined;
      if (row === undefined || verified(run, row).consumed === 1) continue;
      this.#consume.run(sumOf({ ...row, consumed: 1 }), row.place);
      consumed += 1;
    }
    return consumed;
  }

  pending(run: StoredRun): readonly InboxMessage[] {
    if (run.pending === 0) return [];
    return this.#all(run)
      .filter((row) => row.consumed === 0)
      .map(messageOf);
  }

  /** Checks that nothing is missing or changed, and that the number of pending messages matches the run's entry. */
  check(run: StoredRun): void {
    const pending = this.#all(run).filter((row) => row.consumed === 0);
    if (pending.length !== run.pending) throw damagedInbox(run);
  }

  #all(run: StoredRun): readonly StoredMessage[] {
    const rows = this.#range.all(...bounds(run)) as unknown as readonly StoredMessage[];
    if (rows.length !== run.sent) throw damagedInbox(run);
    return rows.map((row) => verified(run, row));
  }
}

const bounds = (run: StoredRun): readonly [number, number] => [place(run.number, 0), place(run.number, run.sent)];

const messageOf = (row: StoredMessage): InboxMessage => JSON.parse(row.message) as InboxMessage;

const sumOf = (row: Omit<StoredMessage, 'sum'>): number => rowSum(row.place, row.consumed, row.id, row.message);

function verified(run: StoredRun, row: StoredMessage): StoredMessage {
  if (sumOf(row) !== row.sum) throw damagedInbox(run);
  return row;
}

function damagedInbox(run: StoredRun): Error {
  const name = headerOf(run).run;
  return damaged(`A message to run ${name} is damaged or missing.`, { run: name });
}
