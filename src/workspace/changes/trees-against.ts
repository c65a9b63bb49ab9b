import type { TreeId } from '../../core/model/ids.ts';
import { type BytePath, foldersAbove } from '../byte-path.ts';
import type { EntryMap, TreeChange, TreeEntry, TreeStore } from '../store/port.ts';
import { comparableChanges, type NotCompared } from './branch-changes.ts';
import type { TreePair } from './diff-trees.ts';
import { blobOf, modeOf, gitSees } from '../store/entries.ts';
import { ScratchRepository, storedForm } from './scratch-repository.ts';
import { conversionSettings, openUserRepository, type UserRepository } from './user-repository.ts';

/**
 * A commit of the user's repository beside the files of a run, as two trees of the store that differ where the two do. Of the
 * commit only what is different is read. Lines are compared as git keeps them, so that line ends which git itself makes on this
 * machine are no change. The user's repository is only looked at, and no program that it names is run.
 */
export async function treesAgainst(store: TreeStore, request: AgainstRequest): Promise<TreesAgainst> {
  const user = await openUserRepository(request.project);
  const settings = await conversionSettings(user);
  return ScratchRepository.use({ ...user, head: request.commit }, settings, async (scratch) => {
    const files = await store.entries(request.tree);
    const committed = within(user.prefix, await scratch.headEntries());
    const { changes, notCompared } = await comparableChanges({ ...request, user, committed, files });
    const source = { store, user, files, filters: settings.filters };
    const { real, outside } = await realChanges(scratch, source, changes);
    const { sides, missing } = await broughtSides(scratch, source, real);
    return {
      ...(await writtenTrees(store, request.tree, { files, sides })),
      notCompared: [
        ...notCompared,
        ...outside.map((path) => ({ path, why: 'filter' as const })),
        ...missing.map((path) => ({ path, why: 'missing' as const })),
      ],
    };
  });
}

export interface AgainstRequest {
  readonly project: string;
  readonly commit: string;
  /** The files of the run. */
  readonly tree: TreeId;
  /** In the project and in no workspace of the run, without having been deleted. */
  readonly isLeftOut: (path: BytePath) => boolean;
}

export interface TreesAgainst extends TreePair {
  /** Paths reported neither as the same nor as different. */
  readonly notCompared: readonly NotCompared[];
}

/** The entries of the project's folder, by their path there. */
function within(prefix: BytePath, entries: EntryMap): EntryMap {
  if (prefix === '') return entries;
  const inside = [...entries].filter(([path]) => path.startsWith(prefix));
  return new Map(inside.map(([path, entry]) => [path.slice(prefix.length), entry]));
}

interface Source {
  readonly store: TreeStore;
  readonly user: UserRepository;
  readonly files: EntryMap;
  readonly filters: ReadonlySet<string>;
}

interface RealChanges {
  /** With what the run has in the form in which git would keep it. */
  readonly real: readonly TreeChange[];
  readonly outside: readonly BytePath[];
}

/** Files with the same git id are the same, even if a checkout changes their line ends. */
async function realChanges(
  scratch: ScratchRepository,
  source: Source,
  changes: readonly TreeChange[],
): Promise<RealChanges> {
  const { prefix } = source.user;
  const entries = new Map([...source.files].map(([path, entry]) => [prefix + path, entry]));
  const paths = await convertible(source, changes);
  const form = await storedForm(scratch, {
    ...source,
    name: 'theirs',
    entries,
    paths: paths.map((path) => prefix + path),
  });
  const real = changes
    .filter(({ path }) => !form.outside.has(prefix + path))
    .map((change) => ({ ...change, after: form.entries.get(prefix + change.path) ?? change.after }))
    .filter(({ before, after }) => gitSees(before) !== gitSees(after));
  return { real, outside: paths.filter((path) => form.outside.has(prefix + path)) };
}

/** Very large files are compared byte by byte, since their lines are not shown. With another kind of names there is no other way. */
async function convertible({ store, user }: Source, changes: readonly TreeChange[]): Promise<readonly BytePath[]> {
  const paths: BytePath[] = [];
  for (const { path, after } of changes) {
    const blob = after === null ? null : blobOf(after);
    if (blob === null) continue;
    if (user.format !== 'sha1' || (await store.sizeOf(blob)) <= MAX_CONVERTED_BYTES) paths.push(path);
  }
  return paths;
}

const MAX_CONVERTED_BYTES = 32 * 1024 * 1024;

interface BroughtSides {
  readonly sides: ReadonlyMap<BytePath, Pick<TreeChange, 'before' | 'after'>>;
  readonly missing: readonly BytePath[];
}

/** Both sides by names that the store knows. */
async function broughtSides(
  scratch: ScratchRepository,
  { store, files }: Source,
  changes: readonly TreeChange[],
): Promise<BroughtSides> {
  const known = new Set([...files.values()].map(blobOf));
  const ids = changes.flatMap(({ before, after }) => [before, after].flatMap((entry) => blobIn(entry)));
  const names = await copyBlobs(
    scratch,
    store,
    ids.filter((id) => !known.has(id)),
  );
  const nameOf = (blob: string): string | undefined => (known.has(blob) ? blob : names.get(blob));
  const sides = new Map<BytePath, Pick<TreeChange, 'before' | 'after'>>();
  const missing: BytePath[] = [];
  for (const { path, before, after } of changes) {
    const [was, is] = [brought(before, nameOf), brought(after, nameOf)];
    if (was === undefined || is === undefined) missing.push(path);
    else sides.set(path, withModes(was, is, files.get(path)));
  }
  return { sides, missing };
}

/** Undefined if its content is not available. */
function brought(entry: TreeEntry | null, nameOf: (blob: string) => string | undefined): TreeEntry | null | undefined {
  if (entry?.kind !== 'file' && entry?.kind !== 'link') return null;
  const blob = nameOf(entry.blob);
  return blob === undefined ? undefined : { ...entry, blob };
}

const blobIn = (entry: TreeEntry | null): readonly string[] => {
  const blob = entry === null ? null : blobOf(entry);
  return blob === null ? [] : [blob];
};

/** Git keeps of a mode whether a file is a program; the rest is as the run has it. */
function withModes(before: TreeEntry | null, after: TreeEntry | null, own: TreeEntry | undefined) {
  const mode = own === undefined ? null : modeOf(own);
  const withMode = (entry: TreeEntry | null): TreeEntry | null =>
    entry?.kind === 'file' && mode !== null && (entry.mode & 0o100) === (mode & 0o100) ? { ...entry, mode } : entry;
  return { before: withMode(before), after: withMode(after) };
}

async function writtenTrees(
  store: TreeStore,
  tree: TreeId,
  { files, sides }: { readonly files: EntryMap; readonly sides: BroughtSides['sides'] },
): Promise<TreePair> {
  const [before, after] = [new Map(files), new Map(files)];
  for (const [path, side] of sides) {
    put(before, path, side.before);
    put(after, path, side.after);
  }
  // Git knows no folders: those of the run are on both sides, but where the commit has a file.
  const isBelowFile = (path: BytePath): boolean =>
    foldersAbove(path).some((folder) => ['file', 'link'].includes(before.get(folder)?.kind ?? ''));
  for (const [path, { kind }] of before) if (kind === 'folder' && isBelowFile(path)) before.delete(path);
  const isAsItWas = [...sides].every(([path, side]) => isSame(side.after, files.get(path) ?? null));
  return { before: await store.write(before), after: isAsItWas ? tree : await store.write(after) };
}

function put(entries: Map<BytePath, TreeEntry>, path: BytePath, entry: TreeEntry | null): void {
  if (entry === null) entries.delete(path);
  else entries.set(path, entry);
}

const isSame = (a: TreeEntry | null, b: TreeEntry | null): boolean =>
  a === b || (a !== null && b !== null && blobOf(a) === blobOf(b) && modeOf(a) === modeOf(b));

/**
 * Copies files of a repository into a store, with few starts of git and bounded memory. Gives their ids there; a file that a
 * partial clone has not fetched, or that cannot be read, has none.
 */
async function copyBlobs(
  scratch: ScratchRepository,
  store: Pick<TreeStore, 'addBlob'>,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (const lot of lotsOf(await sizesOf(scratch, [...new Set(ids)]))) {
    const answer = await scratch.git(['cat-file', '--batch'], { input: linesOf(lot) });
    for (const { id, bytes } of blobsIn(answer)) names.set(id, await store.addBlob(bytes));
  }
  return names;
}

interface SizedBlob {
  readonly id: string;
  readonly size: number;
}

async function sizesOf(scratch: ScratchRepository, ids: readonly string[]): Promise<readonly SizedBlob[]> {
  if (ids.length === 0) return [];
  const answer = await scratch.git(['cat-file', '--batch-check'], { input: linesOf(ids) });
  return answer
    .toString('latin1')
    .split('\n')
    .flatMap((line) => {
      const [id = '', type, size] = line.split(' ');
      return type === 'blob' && Number(size) <= MAX_BLOB_BYTES ? [{ id, size: Number(size) }] : [];
    });
}

const MAX_BLOB_BYTES = 256 * 1024 * 1024;
const LOT_BYTES = 32 * 1024 * 1024;
const LOT_BLOBS = 5000;

function lotsOf(blobs: readonly SizedBlob[]): readonly (readonly string[])[] {
  const lots: string[][] = [];
  let room = 0;
  for (const { id, size } of blobs) {
    const last = lots.at(-1);
    if (last === undefined || size > room || last.length >= LOT_BLOBS) {
      lots.push([id]);
      room = LOT_BYTES - size;
    } else {
      last.push(id);
      room -= size;
    }
  }
  return lots;
}

/** `id blob size`, a line break, as many bytes, and a line break again. */
function* blobsIn(answer: Buffer): Generator<{ readonly id: string; readonly bytes: Buffer }> {
  for (let at = 0; at < answer.length;) {
    const end = answer.indexOf(0x0a, at);
    const [id = '', , size = '0'] = answer.toString('latin1', at, end).split(' ');
    const from = end + 1;
    at = from + Number(size) + 1;
    yield { id, bytes: answer.subarray(from, at - 1) };
  }
}

const linesOf = (ids: readonly string[]): string => ids.map((id) => `${id}\n`).join('');
