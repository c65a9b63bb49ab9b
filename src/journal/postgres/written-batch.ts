import type { RunId } from '../../core/model/ids.ts';
import type { Batch, InboxMessage } from '../port.ts';
import { writtenRecord, type WrittenRecord } from '../written-record.ts';
import { rowHash, rowSum } from '../row-hash.ts';
import { storedText } from './stored-text.ts';

/** A batch as text, made when it was handed in, so that what is written is what it was then. */
export interface TextBatch {
  readonly records: readonly WrittenRecord[];
  /** Of all records; null where there are none. */
  readonly lines: string | null;
  readonly status: string;
  readonly outcome: string | null;
  readonly more: string | null;
  readonly consumed: readonly string[];
  readonly sends: readonly SentText[];
  readonly bytes: number;
}

export interface SentText {
  readonly to: RunId;
  readonly run: string;
  readonly id: string;
  readonly message: string;
  readonly sum: number;
}

export function textBatch(batch: Batch): TextBatch {
  const records = batch.records.map(writtenRecord);
  const lines = records.length === 0 ? null : linesOf(records);
  const { status, outcome, ...more } = batch.summary;
  const sends = (batch.sends ?? []).map(({ run, message }) => ({
    to: run,
    run: storedText(run),
    ...textMessage(message),
  }));
  return {
    records,
    lines,
    status,
    outcome,
    more: Object.keys(more).length === 0 ? null : JSON.stringify(more),
    consumed: (batch.consumed ?? []).map((id) => JSON.stringify(id)),
    sends,
    bytes:
      (lines?.length ?? 0) +
      records.reduce((sum, { large }) => sum + (large?.body.length ?? 0), 0) +
      sends.reduce((sum, { message }) => sum + message.length, 0),
  };
}

export function textMessage(message: InboxMessage): Omit<SentText, 'to' | 'run'> {
  const [id, text] = [JSON.stringify(message.id), JSON.stringify(message)];
  return { id, message: text, sum: sumOfMessage(id, text) };
}

export const sumOfMessage = (id: string, message: string): number => rowSum(id, message);

/** A record as its row has it. */
type Line = Pick<WrittenRecord, 'seq' | 'at' | 'text'>;

/** The hash of a row whose last record has this number, chained from the row before it. */
export const chained = (tip: string, seq: number, lines: string): string => rowHash(tip, seq, lines);

/** Records that are written together, a line each: JSON has no line break. */
export const linesOf = (records: readonly Line[]): string => records.map(({ at, text }) => `${at} ${text}`).join('\n');

/** The records of a row whose last one has this number. */
export function recordsIn(lines: string, last: number): readonly Line[] {
  const all = lines.split('\n');
  return all.map((line, index) => {
    const end = line.indexOf(' ');
    return { seq: last - all.length + 1 + index, at: Number(line.slice(0, end)), text: line.slice(end + 1) };
  });
}
