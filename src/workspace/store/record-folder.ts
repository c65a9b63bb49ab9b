import type { TreeId } from '../../core/model/ids.ts';
import { type BytePath, folderOf } from '../byte-path.ts';
import { buildTrees, encodeManifest, joinTree, makeManifest, type TreeSource } from './tree-objects.ts';
import type { FolderState, KnownListing, SeenEntry } from './remembered-folders.ts';
import type { LookedFolders } from './folder-look.ts';
import { listEntries } from './list-folder.ts';
import { listOnly, reconcile, type Reconciled } from './reconcile.ts';
import type { ObjectBatch, ObjectStore } from './object-store.ts';
import type { RecordedTree, RecordOptions, StoreReport, TreeEntry } from './tree-types.ts';
import { readChanged, type FoundEntry } from './read-changed.ts';
import { listingLine, listingSize } from './walk-listing.ts';

/** Records a folder against what is remembered of it. Returns what is to be remembered next. */
export async function recordFolder(
  folder: string,
  state: FolderState,
  options: RecordFolderOptions,
): Promise<{ readonly recorded: RecordedTree; readonly state: FolderState }> {
  const limits = { maxFileBytes: options.maxFileBytes, lookedAtMs: Date.now() };
  const found = await look(folder, state, { ...options, ...limits });
  options.survey?.(listingSize(found.listing.lines, options.maxFileBytes));
  const batch = options.objects.batch();
  const read = await readChanged(folder, found.toRead, { ...limits, ...options, batch });
  const entries = applied(state.entries, found, read);
  const { tree, next } = await store({ found, entries, state, batch });
  const reports = [...found.reports, ...entryReports(entries)];
  return { recorded: { tree, entries: entries.size, read: read.length, reports }, state: next };
}

export type RecordFolderOptions = RecordOptions & { readonly objects: ObjectStore; readonly maxFileBytes: number };

/** Size is no matter of memory, but of time and room: a file made of nothing but a hole can be as large as a whole disk. */
export const LARGEST_FILE_BYTES = 4 * 1024 ** 3;

async function look(
  folder: string,
  state: FolderState,
  options: RecordFolderOptions & { readonly lookedAtMs: number },
): Promise<Look> {
  if (options.only !== undefined && state.isComplete) {
    const found = await listOnly(folder, state, { ...options, only: options.only });
    return { ...found, looked: state.looked };
  }
  const listing = { leaveOut: options.leaveOut, signal: options.signal, away: state.away };
  // Remembering what was seen pays from the second look on.
  const isFirst = state.listing.lines.length === 0;
  const looked: LookedFolders | null = state.looked ?? (isFirst ? null : new Map());
  const lines = await listEntries(folder, { ...listing, expected: state.entries.size, looked });
  const found = reconcile(lines, { ...options, known: state.entries, listing: state.listing });
  return { ...found, away: [...new Set([...state.away, ...found.away])], looked };
}

type Look = Reconciled & Pick<FolderState, 'looked'>;
type Entries = ReadonlyMap<BytePath, SeenEntry>;

function applied(known: Entries, found: Reconciled, read: readonly FoundEntry[]): Entries {
  const entries = new Map(known);
  // What was to be read and is not among the results has vanished meanwhile.
  for (const path of found.gone) entries.delete(path);
  for (const { path } of found.toRead) entries.delete(path);
  for (const [path, seen] of found.changed) entries.set(path, seen);
  for (const { path, seen } of read) entries.set(path, seen);
  return entries;
}

interface Found {
  readonly found: Look;
  readonly entries: Entries;
  readonly state: FolderState;
  readonly batch: ObjectBatch;
}

/** When it resolves, all of it is on the disk. */
async function store({ found, entries, state, batch }: Found): Promise<{ tree: TreeId; next: FolderState }> {
  const touched = [...found.gone, ...found.changed.keys(), ...found.toRead.map(({ path }) => path)];
  const dirty = state.trees.size === 0 ? foldersOf(entries.values()) : touched.map(folderOf);
  const eachEntry: TreeSource['eachEntry'] = (visit) => {
    for (const [path, { folder, entry }] of entries) visit(path, folder, entry);
  };
  const trees = buildTrees({ trees: state.trees, dirty, eachEntry }, batch);
  const hasNewShape = isNewShape({ touched, before: state.entries, after: entries });
  const manifest = (hasNewShape ? null : state.manifest) ?? putManifest(entries, batch);
  const tree = joinTree({ files: trees.get('') ?? '', manifest }, batch);
  await batch.flush();
  const listing = provenListing(found, entries);
  const known = { entries, trees, listing, manifest, away: found.away, looked: found.looked };
  return { tree, next: { ...known, generation: state.generation, isComplete: true } };
}

/** A line that is no proof of the entry as it was read is emptied. */
function provenListing({ listing, toRead, changed }: Reconciled, entries: Entries): KnownListing {
  const unsure = new Set([...toRead.map(({ path }) => path), ...changed.keys()]);
  listing.paths.forEach((path, place) => {
    if (!unsure.has(path)) return;
    const seen = entries.get(path);
    const isProof = seen?.isSettled === true && listing.lines[place] === listingLine(seen.stamp, path);
    if (!isProof) listing.lines[place] = '';
  });
  return listing;
}

function foldersOf(entries: Iterable<SeenEntry>): Set<BytePath> {
  return new Set([...entries].map(({ folder }) => folder));
}

interface Shapes {
  readonly touched: readonly BytePath[];
  readonly before: ReadonlyMap<BytePath, SeenEntry>;
  readonly after: ReadonlyMap<BytePath, SeenEntry>;
}

/** Whether anything but the content of files changed. */
function isNewShape({ touched, before, after }: Shapes): boolean {
  return touched.some((path) => {
    const [old, now] = [before.get(path)?.entry, after.get(path)?.entry];
    return old === undefined || now === undefined || shapeOf(old) !== shapeOf(now);
  });
}

function shapeOf(entry: TreeEntry): string {
  return `${entry.kind} ${'mode' in entry ? entry.mode : ''} ${entry.kind === 'unkept' ? entry.why : ''}`;
}

function putManifest(entries: ReadonlyMap<BytePath, SeenEntry>, batch: ObjectBatch): string {
  const plain = new Map<BytePath, TreeEntry>();
  for (const [path, { entry }] of entries) plain.set(path, entry);
  return batch.put('blob', encodeManifest(makeManifest(plain)));
}

function* entryReports(entries: Entries): Generator<StoreReport> {
  for (const [path, { entry, hasSpecialBits }] of entries) {
    if (hasSpecialBits) yield { path, why: 'special-bits' };
    if (entry.kind === 'unkept') yield { path, why: entry.why };
  }
}
