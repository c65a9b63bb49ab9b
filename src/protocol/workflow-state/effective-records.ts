import type { JournalRecord } from '../../core/fact.ts';
import { runId, type RunId } from '../../core/ids.ts';
import { journalsOf, type TreeRecord } from './tree-record.ts';

/**
 * The records that still count: a run that was put back is what it was at that record, and what it did since is undone until
 * somebody puts it back to there. Files alone that are put back undo nothing else.
 */
export function effectiveRecords(records: readonly JournalRecord[]): readonly JournalRecord[] {
  const ends = new Map<number, Link | null>();
  let last: Link | null = null;
  for (const record of records) {
    const { fact, seq } = record;
    const before: Link | null = fact.kind === 'run.rewound' && fact.state !== null ? (ends.get(fact.to) ?? null) : last;
    last = { record, before };
    ends.set(seq, last);
  }
  const chain: JournalRecord[] = [];
  for (let link = last; link !== null; link = link.before) chain.push(link.record);
  return chain.toReversed();
}

interface Link {
  readonly record: JournalRecord;
  readonly before: Link | null;
}

/** Which records of a tree of runs still count: a run whose start was undone is undone with it. */
export class EffectiveTree {
  /** By run: the numbers of its records that count. */
  readonly #counting = new Map<RunId, ReadonlySet<number>>();
  /** By run and task: the record that started it. */
  readonly #starts = new Map<string, number>();

  constructor(records: readonly TreeRecord[]) {
    for (const [run, own] of journalsOf(records)) {
      this.#counting.set(run, new Set(effectiveRecords(own).map(({ seq }) => seq)));
    }
    for (const { run, record } of records) {
      if (record.fact.kind === 'task.started') this.#starts.set(`${run}/${record.fact.task}`, record.seq);
    }
  }

  has(run: RunId, seq: number): boolean {
    if (this.#counting.get(run)?.has(seq) === false) return false;
    const start = this.#starts.get(callerOf(run));
    return start === undefined || this.has(parentOf(run), start);
  }
}

const parentOf = (run: RunId): RunId => runId(run.slice(0, Math.max(0, run.lastIndexOf('/'))));

/** A child bears the name of the task that called it; a sub-agent's goes on with which call of it. */
const callerOf = (run: RunId): string => run.replace(/-\d+\.\d+(?:\.r\d+)?$/, '');
