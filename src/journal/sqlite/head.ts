import type { DatabaseSync, StatementSync } from 'node:sqlite';

import { Fault } from '../../core/model/fault.ts';
import { rowSum } from '../row-hash.ts';
import { damaged } from '../refusal.ts';

/** The newest commit. Its hash is chained over all commits before it, so it names one history. */
export interface JournalHead {
  readonly number: number;
  readonly hash: string;
}

export interface HeadRow extends JournalHead {
  readonly runs: number;
  /** Runs with messages waiting. */
  readonly addressed: number;
}

/** Before the first commit. */
export const NO_COMMIT: HeadRow = { number: 0, hash: '-'.repeat(43), runs: 0, addressed: 0 };

export class HeadTable {
  readonly #read: StatementSync;
  readonly #save: StatementSync;

  constructor(database: DatabaseSync) {
    this.#read = database.prepare('SELECT number, hash, runs, addressed, sum FROM head WHERE one = 1');
    this.#save = database.prepare(
      'UPDATE head SET number = ?, hash = ?, runs = ?, addressed = ?, sum = ? WHERE one = 1',
    );
  }

  read(): HeadRow {
    const row = this.#read.get() as unknown as (HeadRow & { readonly sum: number }) | undefined;
    if (row === undefined || row.sum !== sumOf(row)) throw damaged('The entry of the newest commit is damaged.', {});
    return row;
  }

  save(head: HeadRow): void {
    this.#save.run(head.number, head.hash, head.runs, head.addressed, sumOf(head));
  }
}

const sumOf = (head: HeadRow): number => rowSum(head.number, head.hash, head.runs, head.addressed);

/** The anchor is written after the commit it names: a database that does not hold that commit has lost its end. */
export function refuseTruncated(home: string, anchored: JournalHead | null, head: JournalHead): void {
  if (anchored === null || anchored.number < head.number) return;
  if (anchored.number === head.number && anchored.hash === head.hash) return;
  throw truncated(home, anchored, head);
}

/** `head` is the newest commit of the database; null: there is no database. */
export function truncated(home: string, anchored: JournalHead, head: JournalHead | null): Fault {
  return new Fault('JOURNAL_TRUNCATED', truncation(home, anchored, head), {
    hint: 'Put back journal.db together with journal.db-wal. To continue with an older copy on purpose, move journal.head away.',
    facts: { home, anchored: anchored.number, found: head?.number ?? null },
  });
}

function truncation(home: string, anchored: JournalHead, head: JournalHead | null): string {
  if (head === null) return `journal.db is gone from ${home}. It held commit ${anchored.number} and all before it.`;
  if (head.number === anchored.number) {
    return `journal.db and journal.head in ${home} belong to different journals: their commits ${head.number} differ.`;
  }
  return `The journal in ${home} ends with commit ${head.number}, but commit ${anchored.number} was accepted: journal.db is an older copy, or its end was lost.`;
}
