import { byCommit, type StoredRecord } from '../../core/record/stored-record.ts';

/** A record with its commit number, and the run that it belongs to. */
export interface CommittedRecord {
  readonly run: string;
  readonly record: StoredRecord;
}

/** Puts records of several runs of a tree into their one order, which is that of their commits. */
export function inTreeOrder<Of extends CommittedRecord>(records: readonly Of[]): readonly Of[] {
  const placed = records.map((one) => ({ run: one.run, seq: one.record.seq, commit: one.record.commit, one }));
  return placed.toSorted(byCommit).map(({ one }) => one);
}
