import type { RunId } from '../../core/model/ids.ts';
import type { StoredRecord } from '../../core/record/stored-record.ts';
import { clipRecord } from '../../protocol/web/clip-record.ts';

/** A record as it goes over the wire, made once for all who hear of it. */
export interface RecordText {
  readonly seq: number;
  readonly at: number;
  /** A `RecordLine` as JSON. */
  readonly text: string;
}

export const recordText = (run: RunId, record: StoredRecord): RecordText => ({
  seq: record.seq,
  at: record.at,
  text: JSON.stringify(clipRecord(run, record)),
});
