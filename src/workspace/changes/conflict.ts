import type { BytePath } from '../byte-path.ts';
import type { TreeEntry } from '../store/port.ts';
import { blobOf, modeOf } from '../store/same-entry.ts';

/** Two sides changed the same thing in different ways, and no rule says who is right. */
export interface Conflict {
  readonly path: BytePath;
  readonly kind: ConflictKind;
  /** What both sides began with. */
  readonly base: ConflictSide | null;
  readonly ours: ConflictSide | null;
  readonly theirs: ConflictSide | null;
}

export type ConflictKind =
  | 'content'
  | 'both-added'
  | 'deleted-by-us'
  | 'deleted-by-them'
  | 'mode'
  /** A file on one side, a link on the other. */
  | 'type'
  /** A link that leads elsewhere on each side. */
  | 'link'
  | 'binary'
  | 'folder-file'
  /** One side holds something that is not kept in trees: a special file, one over the limit, one that may not be read. */
  | 'unkept'
  /** New files that together are a git repository, whose settings git would obey as soon as somebody enters the folder. */
  | 'repository';

/** Both sides stand in the file, between marks. Of all others the tree of a conflict has only what the author made. */
export function hasMarks(kind: ConflictKind): boolean {
  return kind === 'content' || kind === 'both-added';
}

export interface ConflictSide {
  readonly kind: TreeEntry['kind'];
  readonly mode: number | null;
  readonly blob: string | null;
  /** For text only, and at most its beginning. */
  readonly text?: string;
  readonly isCut?: true;
}

export interface ThreeEntries {
  readonly base: TreeEntry | null;
  readonly ours: TreeEntry | null;
  readonly theirs: TreeEntry | null;
}

/** Where the bytes of a merge come from and go to. */
export interface BlobStore {
  read(blob: string): Promise<Buffer>;
  sizeOf(blob: string): Promise<number>;
  addBlob(bytes: Buffer): Promise<string>;
}

export async function toConflict(
  path: BytePath,
  found: { readonly kind: ConflictKind; readonly three: ThreeEntries },
  blobs: ReadBlobs,
): Promise<Conflict> {
  const { base, ours, theirs } = found.three;
  const [first, second, third] = await Promise.all([base, ours, theirs].map((entry) => toSide(entry, blobs)));
  return { path, kind: found.kind, base: first ?? null, ours: second ?? null, theirs: third ?? null };
}

type ReadBlobs = Pick<BlobStore, 'read' | 'sizeOf'>;

async function toSide(entry: TreeEntry | null, blobs: ReadBlobs): Promise<ConflictSide | null> {
  if (entry === null) return null;
  const side = { kind: entry.kind, mode: modeOf(entry), blob: blobOf(entry) };
  if (side.blob === null || (await blobs.sizeOf(side.blob)) > MAX_COMPARED_BYTES) return side;
  const bytes = await blobs.read(side.blob);
  if (isBinaryContent(bytes)) return side;
  const shown = bytes.subarray(0, MAX_TEXT_BYTES);
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(shown, { stream: shown.length < bytes.length });
  return { ...side, text, ...(shown.length < bytes.length ? { isCut: true } : {}) };
}

/** What is larger is not looked into: it counts as made of bytes, not of lines. */
export const MAX_COMPARED_BYTES = 16 * 1024 * 1024;

const MAX_TEXT_BYTES = 16 * 1024;
const LOOKED_AT_BYTES = 8000;

/** The rule git goes by. */
export function isBinaryContent(bytes: Buffer): boolean {
  return bytes.subarray(0, LOOKED_AT_BYTES).includes(0);
}
