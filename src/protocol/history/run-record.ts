import type { JournalRecord } from '../../core/record/fact.ts';
import type { RunId } from '../../core/model/ids.ts';

/** A record of a run, or of one below it. Lists of them are in the order of time. */
export interface RunRecord {
  readonly run: RunId;
  readonly record: JournalRecord;
}

/** Groups records by run. */
export function journalsOf(records: readonly RunRecord[]): ReadonlyMap<RunId, readonly JournalRecord[]> {
  const byRun = Map.groupBy(records, ({ run }) => run);
  return new Map([...byRun].map(([run, own]) => [run, own.map(({ record }) => record)]));
}

export const isoTime = (at: number): string => new Date(at).toISOString();
