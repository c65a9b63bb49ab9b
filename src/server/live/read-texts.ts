import type { RunId } from '../../core/model/ids.ts';
import type { Journal } from '../../journal/port.ts';
import { readPieces } from '../../app/views/read-pieces.ts';
import { recordText, type RecordText } from './record-text.ts';

export interface PageSize {
  readonly records: number;
  readonly bytes: number;
}

/** As much as one answer may be. */
export const PAGE: PageSize = { records: 10_000, bytes: 4 * 1024 * 1024 };

/** Records of a run after one, as they are sent: as many as fit, and one in any case. */
export async function readTexts(
  journal: Pick<Journal, 'read'>,
  from: { readonly run: RunId; readonly after: number },
  size: PageSize = PAGE,
): Promise<readonly RecordText[]> {
  const texts: RecordText[] = [];
  let bytes = 0;
  for await (const records of readPieces(journal, { ...from, limit: size.records })) {
    for (const record of records) {
      const text = recordText(from.run, record);
      bytes += text.text.length;
      if (bytes > size.bytes && texts.length > 0) return texts;
      texts.push(text);
    }
  }
  return texts;
}
