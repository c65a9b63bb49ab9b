import type { JournalRecord } from '../../core/fact.ts';
import type { RunId } from '../../core/ids.ts';
import { clipRecord } from '../../protocol/web/clip-record.ts';

/** A record as it goes over the wire, made once for all who hear of it. */
export interface RecordText {
  readonly seq: number;
  readonly at: number;
  /** A `RecordLine` as JSON. */
  readonly text: string;
  /** Characters it has in the journal, about. */
  readonly wholeLength: number;
}

export function recordText(run: RunId, record: JournalRecord): RecordText {
  const line = clipRecord(run, record);
  const text = JSON.stringify(line);
  const left = (line.cut ?? []).reduce((sum, { length }) => sum + length, 0);
  return { seq: record.seq, at: record.at, text, wholeLength: text.length + left };
}
