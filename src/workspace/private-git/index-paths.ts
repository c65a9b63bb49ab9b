import type { BytePath } from '../byte-path.ts';

/**
 * The paths that an index tracks and looks for in the work tree, read without starting git. Null for forms that only git
 * reads: a fourth version, one in two files, one with folders for what is not checked out, one that is cut short.
 */
export function indexPaths(index: Buffer, idBytes: number): readonly BytePath[] | null {
  if (index.length < HEADER_BYTES + idBytes || index.toString('latin1', 0, 4) !== 'DIRC') return null;
  const version = index.readUInt32BE(4);
  if (version !== 2 && version !== 3) return null;
  const end = index.length - idBytes;
  const paths: BytePath[] = [];
  let at = HEADER_BYTES;
  for (let left = index.readUInt32BE(8); left > 0; left -= 1) {
    const entry = entryAt(index, at, idBytes);
    if (entry === null || entry.next > end) return null;
    if (!entry.isHidden) paths.push(entry.path);
    at = entry.next;
  }
  return isAllKnown(index.subarray(at, end)) ? paths : null;
}

const HEADER_BYTES = 12;

interface IndexEntry {
  readonly path: BytePath;
  /** Git was told not to look for it. */
  readonly isHidden: boolean;
  readonly next: number;
}

const MODE_AT = 24;
const STAT_BYTES = 40;
const FOLDER_MODE = 0o040000;
const EXTENDED = 0x4000;
const SKIP_WORKTREE = 0x4000;

function entryAt(index: Buffer, start: number, idBytes: number): IndexEntry | null {
  const flagsAt = start + STAT_BYTES + idBytes;
  if (flagsAt + 4 > index.length || index.readUInt32BE(start + MODE_AT) === FOLDER_MODE) return null;
  const isExtended = (index.readUInt16BE(flagsAt) & EXTENDED) !== 0;
  const isHidden = isExtended && (index.readUInt16BE(flagsAt + 2) & SKIP_WORKTREE) !== 0;
  const nameAt = flagsAt + (isExtended ? 4 : 2);
  const nameEnd = index.indexOf(0, nameAt);
  if (nameEnd === -1) return null;
  // Filled up with zeros to a multiple of eight, with at least one.
  const next = start + ((nameEnd - start + 8) & ~7);
  return { path: index.toString('latin1', nameAt, nameEnd), isHidden, next };
}

/** Extensions in capitals may be passed over; others say that the entries are not all there is. */
function isAllKnown(extensions: Buffer): boolean {
  let at = 0;
  while (at + 8 <= extensions.length) {
    const first = extensions.readUInt8(at);
    if (first < 0x41 || first > 0x5a) return false;
    at += 8 + extensions.readUInt32BE(at + 4);
  }
  return at === extensions.length;
}
