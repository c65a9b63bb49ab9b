import { applyFact } from './apply.ts';
import type { JournalRecord } from './fact.ts';
import { Fault } from './fault.ts';
import type { Snapshot } from './snapshot.ts';

/** Where a run stands after these records. Evaluates nothing: facts carry what was decided (L2). */
export function foldRecords(records: readonly JournalRecord[]): Snapshot {
  let snapshot: Snapshot | null = null;
  for (const record of records) snapshot = applyRecord(snapshot, record);
  if (snapshot === null) {
    throw new Fault('JOURNAL_EMPTY', 'The run has no records.', { hint: 'It was never started; start it again.' });
  }
  return snapshot;
}

export function applyRecord(snapshot: Snapshot | null, record: JournalRecord): Snapshot {
  const next = applyFact(snapshot, record.fact, record.at);
  if (next.seq !== record.seq) {
    throw new Fault('JOURNAL_DAMAGED', `Run ${next.run} should have record ${next.seq} here; found ${record.seq}.`, {
      hint: 'Run `troupe doctor` to see what is missing.',
    });
  }
  return next;
}
