import type { JournalRecord } from '../../core/fact.ts';
import { applyRecord, foldRecords } from '../../core/fold.ts';
import type { Snapshot } from '../../core/snapshot.ts';
import { isRedefining } from './defining-records.ts';

/** A run as far as its definition is concerned. Most keep the one they began with: then the first record is enough. */
export function definedBy(records: readonly JournalRecord[]): Pick<Snapshot, 'definition' | 'workflow'> {
  const [first] = records;
  if (first === undefined || records.some(({ fact }) => isRedefining(fact))) return foldRecords(records);
  return applyRecord(null, first);
}
