import type { RunId } from '../../core/ids.ts';
import type { TreeRecord } from '../../protocol/history/tree-record.ts';

/** A record with the runs below that it starts, and those whose end it tells of. */
export interface LinkedRecord extends TreeRecord {
  readonly starts: readonly RunId[];
  readonly ends: readonly RunId[];
}

/**
 * The records of a tree of runs in one order: that of time, save that nothing stands before what it follows from. Times have
 * only milliseconds, and the clock of a process that takes a run over may be behind.
 */
export function treeOrder(records: readonly LinkedRecord[]): readonly TreeRecord[] {
  const order = new TreeOrder(records);
  const moments = new Map(records.map((one) => [one, order.momentOf(one)]));
  const of = (one: LinkedRecord): Moment => moments.get(one) ?? BEGINNING;
  return records.toSorted((one, other) => of(one).at - of(other).at || of(one).step - of(other).step);
}

interface Moment {
  readonly at: number;
  /** How many records led here, at least: tells records of the same millisecond apart. */
  readonly step: number;
}

const BEGINNING: Moment = { at: -Infinity, step: 0 };

class TreeOrder {
  readonly #runs: ReadonlyMap<RunId, readonly LinkedRecord[]>;
  readonly #moments = new Map<LinkedRecord, Moment>();
  /** Of the last record of each run that was placed. */
  readonly #ends = new Map<RunId, Moment>();

  constructor(records: readonly LinkedRecord[]) {
    this.#runs = Map.groupBy(records, ({ run }) => run);
    // Runs come after those that start them; where the start was told earlier, nothing has to be waited for.
    for (const run of this.#runs.keys()) this.#endOf(run, BEGINNING);
  }

  momentOf(record: LinkedRecord): Moment {
    return this.#moments.get(record) ?? BEGINNING;
  }

  #endOf(run: RunId, start: Moment): Moment {
    const known = this.#ends.get(run);
    if (known !== undefined) return known;
    let now = start;
    for (const one of this.#runs.get(run) ?? []) {
      const causes = [now, ...one.ends.map((child) => this.#endOf(child, BEGINNING))];
      now = {
        at: Math.max(one.record.at, ...causes.map(({ at }) => at)),
        step: Math.max(...causes.map(({ step }) => step)) + 1,
      };
      this.#moments.set(one, now);
      for (const child of one.starts) this.#endOf(child, now);
    }
    this.#ends.set(run, now);
    return now;
  }
}
