import type { Fact, JournalRecord } from '../../core/fact.ts';
import { runId, type RunId } from '../../core/ids.ts';
import { RunNames } from '../run-names.ts';
import type { TreeRecord } from './tree-record.ts';

/** A record with the runs below that it starts, and those whose end it reports. */
export interface LinkedRecord extends TreeRecord {
  readonly starts: readonly RunId[];
  readonly ends: readonly RunId[];
}

/** When a record happened, as far as its order among the records of its tree goes. */
export interface Moment {
  readonly at: number;
  /** How many records led here, at least: tells records of the same millisecond apart. */
  readonly step: number;
}

export type PlacedRecord<Of extends TreeRecord = TreeRecord> = Of & { readonly moment: Moment };

const BEGINNING: Moment = { at: -Infinity, step: 0 };

/**
 * Puts the records of a tree of runs into one order: that of time, except that no record comes before its cause. Times have
 * only milliseconds, and the clock of a process that takes a run over may be behind. A record's moment follows from the
 * records that led to it, so it is the same however the records are read.
 */
export class TreeOrder {
  /** The last moment of each run, or the one in which it was started. */
  readonly #known = new Map<RunId, Moment>();
  readonly #ended = new Set<RunId>();
  /** Records of a run came after the record that reports its end, which is therefore in the wrong place. */
  isLate = false;

  /** The next records, those of each run in their order. */
  take<Of extends LinkedRecord>(records: readonly Of[]): readonly PlacedRecord<Of>[] {
    const runs = Map.groupBy(records, ({ run }) => run);
    const placed: PlacedRecord<Of>[] = [];
    const place = (run: RunId): Moment => {
      const own = runs.get(run) ?? [];
      runs.delete(run);
      if (own.length > 0 && this.#ended.has(run)) this.isLate = true;
      let now = this.#known.get(run) ?? BEGINNING;
      for (const one of own) {
        for (const child of one.ends) {
          now = later(now, place(child));
          this.#ended.add(child);
        }
        now = { at: Math.max(now.at, one.record.at), step: now.step + 1 };
        placed.push(Object.assign(one, { moment: now }));
        for (const child of one.starts) {
          if (!this.#known.has(child)) this.#known.set(child, now);
          place(child);
        }
      }
      this.#known.set(run, now);
      return now;
    };
    for (const run of [...runs.keys()].sort()) place(run);
    return placed.sort(byMoment);
  }
}

const later = (one: Moment, other: Moment): Moment => ({
  at: Math.max(one.at, other.at),
  step: Math.max(one.step, other.step),
});

/** Records of one moment are told apart by their runs. */
export const isBefore = (one: PlacedRecord, other: PlacedRecord): boolean => byMoment(one, other) < 0;

export const byMoment = (one: PlacedRecord, other: PlacedRecord): number =>
  one.moment.at - other.moment.at ||
  one.moment.step - other.moment.step ||
  (one.run === other.run ? one.record.seq - other.record.seq : one.run < other.run ? -1 : 1);

const NONE: readonly RunId[] = [];

const LINKING: ReadonlySet<Fact['kind']> = new Set([
  'task.started',
  'call.answered',
  'task.ended',
  'tool.finished',
  'run.rewound',
]);

/** Finds which records start and end runs below. */
export class TreeLinks {
  readonly #names = new RunNames();

  of(run: RunId, record: JournalRecord): LinkedRecord {
    const { fact } = record;
    const isLink = LINKING.has(fact.kind);
    const starts = isLink ? this.#names.learn(run, fact).map(runId) : NONE;
    return { run, record, starts, ends: isLink ? this.#names.ended(run, fact).map(runId) : NONE };
  }
}

/** Journals that are at hand, as one list in order. */
export function inTreeOrder(journals: Iterable<readonly [RunId, readonly JournalRecord[]]>): readonly PlacedRecord[] {
  const links = new TreeLinks();
  return new TreeOrder().take(
    [...journals].flatMap(([run, records]) => records.map((record) => links.of(run, record))),
  );
}
