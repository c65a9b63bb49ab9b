import type { JournalRecord } from '../core/record/fact.ts';
import { Fault } from '../core/model/fault.ts';
import type { BodyHash, RunId } from '../core/model/ids.ts';
import type { Lease, NewRecord } from './port.ts';

/** Why a journal refuses, with the same sentences and codes in every implementation. */
export const runUnknown = (run: RunId): Fault =>
  new Fault('RUN_UNKNOWN', `There is no run ${run}.`, { hint: 'List the runs with `troupe runs`.', facts: { run } });

export const runExists = (run: RunId): Fault =>
  new Fault('RUN_EXISTS', `There is already a run ${run}.`, { facts: { run } });

export const runBusy = (run: RunId, holder: { readonly owner: string; readonly pid?: number }): Fault => {
  const who = holder.pid === undefined ? holder.owner : `process ${holder.pid} (${holder.owner})`;
  return new Fault('RUN_BUSY', `Run ${run} is driven by ${who}.`, {
    hint: 'Wait until it is done, or stop that process first.',
    facts: { run, ...holder },
  });
};

export const bodyMissing = (hash: BodyHash): Fault =>
  new Fault('BODY_MISSING', `The journal holds no body ${hash}.`, { facts: { hash } });

export const journalClosed = (): Fault =>
  new Fault('JOURNAL_CLOSED', 'The journal was closed.', { hint: 'Open it again.' });

/** [J3] A lease that was released is as lost as one that was taken over. */
export function refuseLostLease(lease: Lease, epoch: number, isHeld: boolean): void {
  if (lease.epoch === epoch && isHeld) return;
  throw new Fault('LEASE_LOST', `Run ${lease.run} is no longer held by ${lease.owner}.`, {
    hint: 'Another process took the run over. Let that one go on.',
    facts: { run: lease.run, held: lease.epoch, newest: epoch },
  });
}

/** [J2] */
export function refuseGap(run: RunId, newest: number, records: readonly Pick<JournalRecord, 'seq'>[]): void {
  let expected = newest;
  for (const record of records) {
    expected += 1;
    if (record.seq === expected) continue;
    throw new Fault('JOURNAL_CONFLICT', `Run ${run} continues with record ${expected}; got ${record.seq}.`, {
      hint: 'Another process drives this run. Stop one of them.',
      facts: { run, expected, got: record.seq },
    });
  }
}

/** [J8] */
export function refuseFallingCommits(run: RunId, records: readonly Pick<NewRecord, 'seq' | 'commit'>[]): void {
  let newest = 0;
  for (const { seq, commit = Infinity } of records) {
    if (commit < newest) {
      throw new Fault(
        'JOURNAL_CONFLICT',
        `Record ${seq} of run ${run} has a lower commit number than the one before it.`,
        {
          hint: 'Copy the records of a run in their order.',
          facts: { run, seq },
        },
      );
    }
    newest = commit;
  }
}

export const SEE_DOCTOR = 'Run `troupe doctor` to see how much is affected. Nothing was changed.';

/** [J4] */
export function damaged(sentence: string, facts: Readonly<Record<string, unknown>>, cause?: unknown): Fault {
  return new Fault('JOURNAL_DAMAGED', sentence, {
    hint: SEE_DOCTOR,
    facts,
    ...(cause === undefined ? {} : { cause }),
  });
}
