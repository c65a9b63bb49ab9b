import type { JournalRecord } from '../core/record/fact.ts';
import type { SettledLine } from './operations/answers/settled.ts';

export type { SettledLine } from './operations/answers/settled.ts';

/** One line of `run --json`: a record as it was journaled. Every line has `kind` and `run`. */
export interface RecordLine {
  readonly kind: string;
  readonly run: string;
  readonly seq: number;
  readonly at: number;
}

export const restKind = (status: SettledLine['status']): SettledLine['kind'] =>
  status === 'settled' ? 'run.settled' : 'run.waiting';

export function recordLine(run: string, record: JournalRecord): RecordLine {
  const line = { kind: record.fact.kind, run, seq: record.seq, at: record.at };
  return { ...line, ...record.fact, ...line };
}
