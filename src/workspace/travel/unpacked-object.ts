import { inflateSync } from 'node:zlib';
import { readEntryHeader } from '../store/entry-header.ts';
import { type GitObject, objectId } from '../store/git-object.ts';

/** Null for what is damaged, or is not what its name says. */
export function unpackObject(id: string, packed: Buffer): GitObject | null {
  const header = readEntryHeader(packed);
  if (header === null) return null;
  try {
    const body = inflateSync(packed.subarray(header.length), { maxOutputLength: Math.max(header.size, 1) });
    return objectId(header.type, body) === id ? { type: header.type, body } : null;
  } catch {
    return null;
  }
}
