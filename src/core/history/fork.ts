import type { Fact, JournalRecord } from '../record/fact.ts';
import type { RunForked } from '../record/files-fact.ts';
import type { RunId } from '../model/ids.ts';
import { stepEnd } from '../step/step-end.ts';

/**
 * The records of a new fork: those of its source up to the end of the step, under the fork's name, then the fact that it is
 * a fork. A copy keeps what the journal knows of it, such as its commit number. From there on the two runs share nothing.
 */
export function forkRecords<Of extends JournalRecord>(
  records: readonly Of[],
  fork: ForkCut,
): readonly (Of | JournalRecord)[] {
  const seq = stepEnd(records, fork.seq);
  const copied = records.slice(0, seq).map((record) => ({ ...record, fact: renamed(record.fact, fork) }));
  const forked: RunForked = { ...fork.forked, from: { ...fork.forked.from, seq } };
  return [...copied, { seq: seq + 1, at: fork.at, fact: forked }];
}

export interface ForkCut {
  readonly run: RunId;
  readonly parent: RunId | null;
  /** The last record that is taken over; what belongs to the same step comes along. */
  readonly seq: number;
  readonly at: number;
  readonly forked: RunForked;
}

function renamed(fact: Fact, { run, parent }: ForkCut): Fact {
  return fact.kind === 'run.started' ? { ...fact, run, parent } : fact;
}
