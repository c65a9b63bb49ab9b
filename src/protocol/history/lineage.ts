import type { Fact, JournalRecord } from '../../core/record/fact.ts';
import type { RunRewound } from '../../core/record/rewound-fact.ts';
import { runId, type RunId } from '../../core/model/ids.ts';
import { parentTask } from '../../core/fold/open-children.ts';
import type { RunRecord } from './run-record.ts';

/** The run was put back. Putting only its files back undoes nothing else. */
export const isPutBack = (fact: Fact): fact is RunRewound & { readonly state: NonNullable<RunRewound['state']> } =>
  fact.kind === 'run.rewound' && fact.state !== null;

/**
 * Which records of a run still count: a run that was put back is what it was at that record, and what it did since is undone
 * until someone puts it back to there.
 */
export class Lineage {
  /** Parts of the journal, each begun by going back; `after` is the record it goes on from. */
  readonly #parts: { readonly from: number; readonly after: number }[] = [{ from: 0, after: -1 }];
  #ranges: readonly (readonly [from: number, to: number])[] = [[0, Infinity]];

  take({ seq, fact }: JournalRecord): void {
    if (!isPutBack(fact)) return;
    this.#parts.push({ from: seq, after: fact.to });
    this.#ranges = this.#rangesUpTo(Infinity);
  }

  /** As of the newest record that was taken. */
  counts(seq: number): boolean {
    return this.#ranges.some(([from, to]) => from <= seq && seq <= to);
  }

  #rangesUpTo(last: number): readonly (readonly [from: number, to: number])[] {
    const part = this.#parts.findLast(({ from }) => from <= last);
    return part === undefined ? [] : [...this.#rangesUpTo(part.after), [part.from, last]];
  }
}

/** The records of a run that still count. */
export function countingRecords(records: readonly JournalRecord[]): readonly JournalRecord[] {
  const lineage = new Lineage();
  for (const record of records) lineage.take(record);
  return records.filter(({ seq }) => lineage.counts(seq));
}

/** Which records of a tree of runs still count: a run whose start was undone is undone with it. */
export class TreeLineage {
  readonly #runs = new Map<RunId, Lineage>();
  /** By run and task: the record that started it. */
  readonly #starts = new Map<string, number>();

  constructor(records: readonly RunRecord[]) {
    for (const { run, record } of records) {
      const lineage = this.#runs.get(run) ?? new Lineage();
      this.#runs.set(run, lineage);
      lineage.take(record);
      if (record.fact.kind === 'task.started') this.#starts.set(`${run}/${record.fact.task}`, record.seq);
    }
  }

  counts(run: RunId, seq: number): boolean {
    if (this.#runs.get(run)?.counts(seq) === false) return false;
    const start = this.#starts.get(parentTask(run));
    return start === undefined || this.counts(runId(run.slice(0, run.lastIndexOf('/'))), start);
  }
}
