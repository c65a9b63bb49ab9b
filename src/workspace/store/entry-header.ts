import type { ObjectType } from './git-object.ts';

/** A difference to another object is written only for the way to another store; here every object is whole. */
type EntryType = ObjectType | 'difference';

const TYPE_NUMBERS: Record<EntryType, number> = { commit: 1, tree: 2, blob: 3, tag: 4, difference: 7 };
const TYPES: readonly (EntryType | undefined)[] = [
  undefined,
  'commit',
  'tree',
  'blob',
  'tag',
  undefined,
  undefined,
  'difference',
];

/** Type and size: four bits of the size in the first byte, then seven in each. */
export function entryHeader(type: EntryType, size: number): Buffer {
  const bytes: number[] = [];
  let rest = Math.floor(size / 16);
  let byte = (TYPE_NUMBERS[type] << 4) | (size & 15);
  while (rest > 0) {
    bytes.push(byte | 0x80);
    byte = rest & 0x7f;
    rest = Math.floor(rest / 128);
  }
  bytes.push(byte);
  return Buffer.from(bytes);
}

export interface EntryHeader<Type = ObjectType> {
  readonly type: Type;
  readonly size: number;
  readonly length: number;
}

/** The opposite; null for kinds that are never written here, such as differences to another object. */
export function readEntryHeader(packed: Buffer): EntryHeader | null {
  const header = readAnyHeader(packed);
  return header === null || header.type === 'difference' ? null : (header as EntryHeader);
}

/** Null for kinds that are written nowhere. */
export function readAnyHeader(packed: Buffer): EntryHeader<EntryType> | null {
  let byte = packed[0] ?? 0;
  const type = TYPES[(byte >> 4) & 7];
  if (type === undefined) return null;
  let size = byte & 15;
  let scale = 16;
  let length = 1;
  while ((byte & 0x80) !== 0) {
    byte = packed[length] ?? 0;
    size += (byte & 0x7f) * scale;
    scale *= 128;
    length += 1;
  }
  return { type, size, length };
}
