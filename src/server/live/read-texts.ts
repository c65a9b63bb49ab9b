import { setImmediate as turn } from 'node:timers/promises';
import type { RunId } from '../../core/ids.ts';
import type { Journal } from '../../journal/port.ts';
import { recordText, type RecordText } from './record-text.ts';

export interface PageSize {
  readonly records: number;
  readonly bytes: number;
}

/** As much as one answer may be. */
export const PAGE: PageSize = { records: 2000, bytes: 4 * 1024 * 1024 };

/**
 * Records of a run after one, as they are sent: as many as fit, and one in any case. Read in pieces that grow while they are
 * small, so that neither a long run nor one of huge messages is ever in memory as a whole; others have their turn between.
 */
export async function readTexts(
  journal: Pick<Journal, 'read'>,
  from: { readonly run: RunId; readonly after: number },
  size: PageSize = PAGE,
): Promise<readonly RecordText[]> {
  const texts: RecordText[] = [];
  let bytes = 0;
  let piece = FIRST_PIECE;
  for (let after = from.after; texts.length < size.records;) {
    const wanted = Math.min(piece, size.records - texts.length);
    const records = await journal.read(from.run, after, wanted);
    let length = 0;
    for (const record of records) {
      const text = recordText(from.run, record);
      length += text.wholeLength;
      bytes += text.text.length;
      if (bytes > size.bytes && texts.length > 0) return texts;
      texts.push(text);
      after = record.seq;
    }
    if (records.length < wanted) return texts;
    piece = length > PIECE_BYTES ? Math.max(1, piece >> 2) : Math.min(MOST_AT_ONCE, piece * 2);
    await turn();
  }
  return texts;
}

const FIRST_PIECE = 4;
const MOST_AT_ONCE = 256;
const PIECE_BYTES = 1024 * 1024;
