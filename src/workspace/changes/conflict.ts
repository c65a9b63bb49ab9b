import type { EntryMap, TreeEntry, TreeStore } from '../store/port.ts';
import { blobOf, modeOf } from '../store/entries.ts';
import type { TreeId } from '../../core/model/ids.ts';
import { type BytePath, nameIn, pathBelow, folderOf } from '../byte-path.ts';

/** Two sides changed the same thing in different ways, and no rule says who is right. */
export interface Conflict extends Three<ConflictSide | null> {
  readonly path: BytePath;
  readonly kind: ConflictKind;
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

/** The common base, and the version of each side. */
export interface Three<T> {
  readonly base: T;
  readonly ours: T;
  readonly theirs: T;
}

export type ThreeEntries = Three<TreeEntry | null>;

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

/** Larger files are compared as bytes, not by lines. */
export const MAX_COMPARED_BYTES = 16 * 1024 * 1024;

const MAX_TEXT_BYTES = 16 * 1024;
const LOOKED_AT_BYTES = 8000;

/** The rule git goes by. */
export function isBinaryContent(bytes: Buffer): boolean {
  return bytes.subarray(0, LOOKED_AT_BYTES).includes(0);
}

/**
 * Folders that git would take for a repository although they are not called `.git`: a file `HEAD` beside `objects` and `refs`.
 * Git inside one obeys its settings, which can name programs to run. Only those that were not there before.
 */
export function newRepositories(before: EntryMap, after: EntryMap): readonly BytePath[] {
  const known = new Set(repositories(before));
  return repositories(after).filter((path) => !known.has(path));
}

function repositories(entries: EntryMap): readonly BytePath[] {
  const heads = [...entries].filter(
    ([path, { kind }]) => isNamed(path, 'head') && (kind === 'file' || kind === 'link'),
  );
  if (heads.length === 0) return [];
  const folders = foldersOf(entries);
  const holds = (folder: BytePath, name: string): boolean => folders.has(lower(pathBelow(folder, name)));
  const found = heads.map(([path]) => folderOf(path));
  return found.filter((folder) => holds(folder, 'objects') && (holds(folder, 'refs') || holds(folder, 'reftable')));
}

/** Every path with something below it or that can be a folder; without case, as on the disks of some systems. */
function foldersOf(entries: EntryMap): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const [path, { kind }] of entries) {
    // A link may lead to a folder.
    if (kind === 'folder' || kind === 'link') folders.add(lower(path));
    for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) folders.add(lower(folder));
  }
  return folders;
}

function isNamed(path: BytePath, name: string): boolean {
  return lower(nameIn(path)) === name;
}

const lower = (path: BytePath): string => path.toLowerCase();

/** Files in which marks of a conflict stand that the base did not have: a text about marks may well be full of them. */
export async function unresolvedMarkers(
  store: TreeStore,
  { tree, base }: { readonly tree: TreeId; readonly base: TreeId },
  paths: readonly BytePath[],
): Promise<readonly UnresolvedMarker[]> {
  const [entries, before] = [await store.entries(tree), await store.entries(base)];
  const found: UnresolvedMarker[] = [];
  for (const path of paths) {
    const marks = await marksIn(store, entries.get(path));
    const known = marks.length === 0 ? [] : await marksIn(store, before.get(path));
    const fresh = beyond(marks, known);
    if (fresh !== null) found.push({ path, line: fresh.line });
  }
  return found;
}

export interface UnresolvedMarker {
  readonly path: BytePath;
  readonly line: number;
}

interface Mark {
  readonly text: string;
  readonly line: number;
}

/** Opening marks that have a closing one further down: a row of `=` alone may be a heading. */
async function marksIn(store: TreeStore, entry: TreeEntry | undefined): Promise<readonly Mark[]> {
  // Marks are put into nothing that is larger than all sides of a merge together.
  if (entry?.kind !== 'file' || (await store.sizeOf(entry.blob)) > 4 * MAX_COMPARED_BYTES) return [];
  const lines = (await store.read(entry.blob)).toString('latin1').split('\n');
  const lastEnd = lines.findLastIndex((line) => /^>{7}(?: |\r?$)/.test(line));
  const numbered = lines.slice(0, lastEnd + 1).map((text, index) => ({ text: text.trimEnd(), line: index + 1 }));
  return numbered.filter(({ text }) => /^<{7}(?: |$)/.test(text));
}

/** The first mark that is there more often than it was known. */
function beyond(marks: readonly Mark[], known: readonly Mark[]): Mark | null {
  const left = known.map(({ text }) => text);
  for (const mark of marks) {
    const index = left.indexOf(mark.text);
    if (index === -1) return mark;
    left.splice(index, 1);
  }
  return null;
}
