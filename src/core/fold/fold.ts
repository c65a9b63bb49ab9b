import { applyFact, applyTo } from './apply.ts';
import { startDraft } from './draft.ts';
import type { JournalRecord } from '../record/fact.ts';
import { Fault } from '../model/fault.ts';
import type { Snapshot } from './snapshot.ts';

/** The snapshot of a run after these records. Evaluates nothing: facts carry what was decided (L2). */
export function foldRecords(records: readonly JournalRecord[]): Snapshot {
  const [first, ...rest] = records;
  if (first === undefined) {
    throw new Fault('JOURNAL_EMPTY', 'The run has no records.', { hint: 'It was never started; start it again.' });
  }
  return foldOn(applyRecord(null, first), rest);
}

/** The snapshot after these records as well; the earlier one is not changed. */
export function foldOn(before: Snapshot, records: readonly JournalRecord[]): Snapshot {
  let draft = startDraft(before);
  for (const { seq, at, fact } of records) {
    draft = fact.kind === 'run.started' ? startDraft(applyFact(draft, fact, at)) : applyTo(draft, fact, at);
    if (draft.seq !== seq) throw outOfOrder(draft, seq);
  }
  return draft;
}

export function applyRecord(snapshot: Snapshot | null, record: JournalRecord): Snapshot {
  const next = applyFact(snapshot, record.fact, record.at);
  if (next.seq !== record.seq) throw outOfOrder(next, record.seq);
  return next;
}

function outOfOrder({ run, seq }: Snapshot, found: number): Fault {
  return new Fault('JOURNAL_DAMAGED', `Run ${run} should have record ${seq} here; found ${found}.`, {
    hint: 'Run `troupe doctor` to see what is missing.',
  });
}
