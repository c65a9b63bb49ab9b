import type { DatabaseSync, StatementSync } from 'node:sqlite';

import type { Fact } from '../../core/record/fact.ts';
import { bodyHash } from '../../core/model/ids.ts';
import type { StoredRecord } from '../port.ts';
import { firstTip, REFERENCE, type WrittenRecord } from '../written-record.ts';
import type { BodyTable } from './body-table.ts';
import { commitStamp, stampedCommit } from './commit-stamp.ts';
import { indexIn, place } from './place.ts';
import { rowHash } from '../row-hash.ts';
import { nameOf, type StoredRun } from './run-table.ts';
import { damaged } from '../refusal.ts';

/** An array, because that costs SQLite's binding half of what an object does. */
type RecordRow = readonly [place: number, at: number, body: string, hash: string, stamp: number];

/** So many rows are asked for at once: one by one they take longer, all of a long run take too much memory. */
const ROWS_AT_ONCE = 1000;

export class RecordTable {
  readonly #bodies: BodyTable;
  readonly #insert: StatementSync;
  readonly #commitAt: StatementSync;
  readonly #range: StatementSync;

  constructor(database: DatabaseSync, bodies: BodyTable) {
    this.#bodies = bodies;
    this.#insert = database.prepare('INSERT INTO records VALUES (?, ?, ?, ?, ?)');
    this.#commitAt = database.prepare('SELECT hash, stamp FROM records WHERE place = ?');
    this.#range = database.prepare('SELECT place, at, body, hash, stamp FROM records WHERE place > ? AND place <= ?');
    for (const read of [this.#commitAt, this.#range]) read.setReturnArrays(true);
  }

  /** Returns the run's new tip. */
  append(run: StoredRun, records: readonly WrittenRecord[], number: number): string {
    let tip = run.tip;
    for (const { seq, at, text, large, commit = number } of records) {
      if (large !== null) this.#bodies.put(large.hash, large.body);
      tip = rowHash(tip, seq, at, text);
      this.#insert.run(place(run.number, seq), at, text, tip, commitStamp(commit));
    }
    return tip;
  }

  /** [J7] The hash of a record stands for all records up to it. */
  isThere(run: StoredRun, records: readonly WrittenRecord[]): boolean {
    const [first, last] = [records[0], records.at(-1)];
    if (first === undefined || last === undefined || first.seq < 1 || last.seq > run.seq) return false;
    const tip = records.reduce(
      (before, { seq, at, text }) => rowHash(before, seq, at, text),
      this.#tipAt(run, first.seq - 1),
    );
    return tip === this.#tipAt(run, last.seq);
  }

  /** Every record is checked against the one before it, and the newest, where that is reached, against the run's entry [J4]. */
  read(run: StoredRun, after: number, limit = Infinity): readonly StoredRecord[] {
    const end = Math.min(run.seq, after + Math.floor(limit));
    if (!(after < end)) return [];
    let tip = this.#tipAt(run, after);
    let seq = after;
    const records: StoredRecord[] = [];
    for (const [place, at, body, hash, stamp] of this.#rows(run.number, after, end)) {
      seq += 1;
      tip = rowHash(tip, seq, at, body);
      const commit = stampedCommit(stamp);
      if (indexIn(run.number, place) !== seq || tip !== hash || commit === undefined) throw damagedAt(run, seq);
      records.push({ seq, at, fact: this.#factOf(body, run, seq), commit });
    }
    const isWhole = seq === end && (end < run.seq || tip === run.tip);
    if (!isWhole) throw damagedAt(run, Math.min(seq + 1, end));
    return records;
  }

  *#rows(run: number, after: number, end: number): Generator<RecordRow> {
    for (let from = after; from < end; from += ROWS_AT_ONCE) {
      const to = Math.min(end, from + ROWS_AT_ONCE);
      yield* this.#range.all(place(run, from), place(run, to)) as unknown as readonly RecordRow[];
    }
  }

  /** The number of the run's newest record that is no newer than this commit; 0: there is none. */
  lastUntil(run: StoredRun, commit: number): number {
    if (run.newest <= commit) return run.seq;
    let [until, above] = [0, run.seq];
    // Commit numbers never fall within a run [J8].
    while (above - until > 1) {
      const middle = (until + above) >> 1;
      if (this.#commitOf(run, middle)[1] <= commit) until = middle;
      else above = middle;
    }
    return until;
  }

  #tipAt(run: StoredRun, seq: number): string {
    return seq === 0 ? firstTip(nameOf(run)) : this.#commitOf(run, seq)[0];
  }

  #commitOf(run: StoredRun, seq: number): readonly [hash: string, commit: number] {
    const [hash, stamp] = (this.#commitAt.get(place(run.number, seq)) ?? []) as unknown as readonly [string?, number?];
    const commit = stampedCommit(stamp ?? 0);
    if (hash === undefined || commit === undefined) throw damagedAt(run, seq);
    return [hash, commit];
  }

  #factOf(text: string, run: StoredRun, seq: number): Fact {
    if (!text.startsWith(REFERENCE)) return JSON.parse(text) as Fact;
    const body = this.#bodies.get(bodyHash(text.slice(REFERENCE.length)));
    if (body === undefined) throw damagedAt(run, seq);
    return JSON.parse(body) as Fact;
  }
}

function damagedAt(run: StoredRun, seq: number): Error {
  const name = nameOf(run);
  return damaged(`Record ${seq} of run ${name} is damaged.`, { run: name, seq, records: run.seq });
}
