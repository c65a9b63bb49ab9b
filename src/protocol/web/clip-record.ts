import type { StoredRecord } from '../../core/record/stored-record.ts';
import type { Cut, PageRecord } from './record-page.ts';

/** A text longer than this is sent by its beginning alone. */
export const LONGEST_TEXT = 20_000;
const KEPT_OF_IT = 4000;

/** A record as it is sent: texts too long to read are cut, and the cuts are listed. Uncut records are not copied. */
export function clipRecord(run: string, record: StoredRecord): PageRecord {
  const cut: Cut[] = [];
  const fact = clipped(record.fact, [], cut);
  // Cutting texts leaves the shape as it is.
  return cut.length === 0 ? { run, record } : { run, record: { ...record, fact }, cut };
}

type Path = readonly (string | number)[];

function clipped<Value>(value: Value, path: Path, cut: Cut[]): Value;
function clipped(value: unknown, path: Path, cut: Cut[]): unknown {
  if (typeof value === 'string') return value.length <= LONGEST_TEXT ? value : clippedText(value, path, cut);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return clippedList(value, path, cut);
  const before = cut.length;
  const entries = Object.entries(value).map(([key, one]): [string, unknown] => [
    key,
    clipped(one, [...path, key], cut),
  ]);
  return cut.length === before ? value : Object.fromEntries(entries);
}

function clippedList(list: readonly unknown[], path: Path, cut: Cut[]): readonly unknown[] {
  const before = cut.length;
  const items = list.map((one, index) => clipped(one, [...path, index], cut));
  return cut.length === before ? list : items;
}

function clippedText(text: string, path: Path, cut: Cut[]): string {
  cut.push({ path, length: text.length });
  const last = text.charCodeAt(KEPT_OF_IT - 1);
  // Never cut between surrogates.
  const isHalf = last >= 0xd8_00 && last <= 0xdb_ff;
  return text.slice(0, isHalf ? KEPT_OF_IT - 1 : KEPT_OF_IT);
}
