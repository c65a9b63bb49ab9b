import type { DatabaseSync, StatementSync } from 'node:sqlite';

import type { Fact, JournalRecord } from '../../core/fact.ts';
import { bodyHash, type BodyHash } from '../../core/ids.ts';
import { contentHash } from '../content-hash.ts';
import type { BodyTable } from './body-table.ts';
import { indexIn, place } from './place.ts';
import { rowHash } from './row-hash.ts';
import { nameOf, type StoredRun } from './run-table.ts';
import { damaged } from './sqlite-fault.ts';

/** A record turned to text before it is queued, so that what is written is what it was when it was appended. */
export interface WrittenRecord {
  readonly seq: number;
  readonly at: number;
  /** The fact's JSON, or the reference to it. */
  readonly text: string;
  readonly large: { readonly hash: BodyHash; readonly body: string } | null;
}

/** Its place, time, text and hash: an array, because that costs SQLite's binding half of what an object does. */
type StoredRecord = readonly [place: number, at: number, body: string, hash: string];

/** So many rows are asked for at once: one by one they take longer, all of a long run take too much memory. */
const ROWS_AT_ONCE = 1000;

export class RecordTable {
  readonly #bodies: BodyTable;
  readonly #insert: StatementSync;
  readonly #hashAt: StatementSync;
  readonly #range: StatementSync;

  constructor(database: DatabaseSync, bodies: BodyTable) {
    this.#bodies = bodies;
    this.#insert = database.prepare('INSERT INTO records VALUES (?, ?, ?, ?)');
    this.#hashAt = database.prepare('SELECT hash FROM records WHERE place = ?');
    this.#range = database.prepare('SELECT place, at, body, hash FROM records WHERE place > ? AND place <= ?');
    this.#range.setReturnArrays(true);
  }

  /** Returns the run's new tip. */
  append(run: StoredRun, records: readonly WrittenRecord[]): string {
    let tip = run.tip;
    for (const { seq, at, text, large } of records) {
      if (large !== null) this.#bodies.put(large.hash, large.body);
      tip = rowHash(tip, seq, at, text);
      this.#insert.run(place(run.number, seq), at, text, tip);
    }
    return tip;
  }

  /** Every record is checked against the one before it, and the newest, where that is reached, against the run's entry [J4]. */
  read(run: StoredRun, after: number, limit = Infinity): readonly JournalRecord[] {
    const end = Math.min(run.seq, after + Math.floor(limit));
    if (!(after < end)) return [];
    let tip = this.#tipAt(run, after);
    let seq = after;
    const records: JournalRecord[] = [];
    for (const [place, at, body, hash] of this.#rows(run.number, after, end)) {
      seq += 1;
      tip = rowHash(tip, seq, at, body);
      if (indexIn(run.number, place) !== seq || tip !== hash) throw damagedAt(run, seq);
      records.push({ seq, at, fact: this.#factOf(body, run, seq) });
    }
    const isWhole = seq === end && (end < run.seq || tip === run.tip);
    if (!isWhole) throw damagedAt(run, Math.min(seq + 1, end));
    return records;
  }

  *#rows(run: number, after: number, end: number): Generator<StoredRecord> {
    for (let from = after; from < end; from += ROWS_AT_ONCE) {
      const to = Math.min(end, from + ROWS_AT_ONCE);
      yield* this.#range.all(place(run, from), place(run, to)) as unknown as readonly StoredRecord[];
    }
  }

  #tipAt(run: StoredRun, seq: number): string {
    if (seq === 0) return firstTip(nameOf(run));
    const row = this.#hashAt.get(place(run.number, seq)) as { readonly hash: string } | undefined;
    if (row === undefined) throw damagedAt(run, seq);
    return row.hash;
  }

  #factOf(text: string, run: StoredRun, seq: number): Fact {
    if (!text.startsWith(REFERENCE)) return JSON.parse(text) as Fact;
    const body = this.#bodies.get(bodyHash(text.slice(REFERENCE.length)));
    if (body === undefined) throw damagedAt(run, seq);
    return JSON.parse(body) as Fact;
  }
}

/** A run's chain begins with its name, so one run's records never pass for another's. */
export const firstTip = (run: string): string => rowHash(run);

export function writtenRecord(record: JournalRecord): WrittenRecord {
  const { seq, at } = record;
  const text = JSON.stringify(record.fact);
  if (text.length <= LARGE) return { seq, at, text, large: null };
  const hash = contentHash(text);
  return { seq, at, text: `${REFERENCE}${hash}`, large: { hash, body: text } };
}

/** [H6] Above this many characters a record lies among the bodies. */
const LARGE = 64 * 1024;

/** No JSON begins like this. */
const REFERENCE = 'sha256:';

function damagedAt(run: StoredRun, seq: number): Error {
  const name = nameOf(run);
  return damaged(`Record ${seq} of run ${name} is damaged.`, { run: name, seq, records: run.seq });
}
