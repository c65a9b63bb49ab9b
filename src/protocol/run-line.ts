import type { JournalRecord } from '../core/fact.ts';
import type { Json } from '../core/json.ts';
import type { Failure, Outcome } from '../core/outcome.ts';
import type { ResultState } from '../core/result-state.ts';
import type { CostUsd, Usage } from '../core/usage.ts';
import type { QuestionView } from './question-view.ts';

/** One line of `run --json`: a record as it was journaled. Every line has `kind` and `run`. */
export interface RecordLine {
  readonly kind: string;
  readonly run: string;
  readonly seq: number;
  readonly at: number;
}

/** The last line of `run --json`, whatever happened; for a run that waits, `outcome` says what it would be left as. */
export interface SettledLine {
  /** `run.waiting`: it goes on only when a person acts; `status` says why. */
  readonly kind: 'run.settled' | 'run.waiting';
  readonly run: string;
  readonly status: 'settled' | 'waiting' | 'paused' | 'running';
  readonly outcome: Outcome;
  /** Where its result is; absent where there is none. */
  readonly result?: ResultState;
  readonly output: Json;
  readonly usage: Usage;
  readonly costUsd: CostUsd;
  readonly failure: Failure | null;
  readonly question: QuestionView | null;
  /** All of them, where there are several. */
  readonly questions?: readonly QuestionView[];
  readonly folder: string | null;
  /** Commands that let a waiting run go on or end it, in what is printed. */
  readonly next?: readonly string[];
}

export const restKind = (status: SettledLine['status']): SettledLine['kind'] =>
  status === 'settled' ? 'run.settled' : 'run.waiting';

export function recordLine(run: string, record: JournalRecord): RecordLine {
  const line = { kind: record.fact.kind, run, seq: record.seq, at: record.at };
  return { ...line, ...record.fact, ...line };
}
