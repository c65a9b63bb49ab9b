import { foldRecords } from '../core/fold/fold.ts';
import type { Fact, JournalRecord } from '../core/record/fact.ts';
import type { Snapshot } from '../core/fold/snapshot.ts';

interface Folded {
  readonly records: readonly JournalRecord[];
  readonly snapshot: Snapshot;
}

/** By the newest fact, so that a list is forgotten together with its records. */
const folded = new WeakMap<Fact, Folded>();

/** The same as `foldRecords`. While a run is taken over, several parts fold the records that were read once. */
export function foldOnce(records: readonly JournalRecord[]): Snapshot {
  const newest = records.at(-1);
  const known = newest === undefined ? undefined : folded.get(newest.fact);
  if (known !== undefined && isSameList(known.records, records)) return known.snapshot;
  const snapshot = foldRecords(records);
  if (newest !== undefined) folded.set(newest.fact, { records, snapshot });
  return snapshot;
}

/** Facts never change, so the same ones in the same places lead to the same snapshot. */
function isSameList(one: readonly JournalRecord[], other: readonly JournalRecord[]): boolean {
  return one === other || (one.length === other.length && one.every((record, at) => isSame(record, other[at])));
}

const isSame = ({ seq, at, fact }: JournalRecord, other: JournalRecord | undefined): boolean =>
  fact === other?.fact && seq === other.seq && at === other.at;
