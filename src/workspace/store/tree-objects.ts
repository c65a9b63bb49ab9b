import { Fault, unreachable } from '../../core/model/fault.ts';
import { treeId, type TreeId } from '../../core/model/ids.ts';
import { type BytePath, type WrittenPath, nameIn, pathBelow, folderOf, toWritten, fromWritten } from '../byte-path.ts';
import { encodeTree, type ItemMode, type TreeItem } from './git-object.ts';
import type { ObjectBatch, ObjectStore } from './object-store.ts';
import type { EntryMap, TreeChange, TreeEntry, Unkept } from './tree-types.ts';
import { isSameEntry } from './entries.ts';

/** Git's trees for the folders whose content changed, and for all above them; the others stay as they were. */
export function buildTrees(source: TreeSource, batch: ObjectBatch): ReadonlyMap<BytePath, string> {
  const trees = new Map(source.trees);
  const dirty = withFoldersAbove(source.dirty);
  const content = new Map<BytePath, [BytePath, TreeEntry][]>([...dirty].map((path) => [path, []]));
  source.eachEntry((path, folder, entry) => content.get(folder)?.push([path, entry]));
  // Backwards by path, what is in a folder comes before the folder.
  for (const folder of [...dirty].sort().reverse()) {
    const items = (content.get(folder) ?? []).flatMap(([path, entry]) => itemOf(path, entry, trees));
    if (items.length === 0 && folder !== '') trees.delete(folder);
    else trees.set(folder, batch.put('tree', encodeTree(items)));
  }
  return trees;
}

export interface TreeSource {
  /** Of the folders that have files in or below them. */
  readonly trees: ReadonlyMap<BytePath, string>;
  /** Folders in which an entry was added, removed or changed. */
  readonly dirty: Iterable<BytePath>;
  readonly eachEntry: (visit: (path: BytePath, folder: BytePath, entry: TreeEntry) => void) => void;
}

function withFoldersAbove(folders: Iterable<BytePath>): Set<BytePath> {
  const all = new Set<BytePath>(['']);
  for (const folder of folders) {
    for (let path = folder; path !== '' && !all.has(path); path = folderOf(path)) all.add(path);
  }
  return all;
}

function itemOf(path: BytePath, entry: TreeEntry, trees: ReadonlyMap<BytePath, string>): readonly TreeItem[] {
  const name = nameIn(path);
  switch (entry.kind) {
    case 'file':
      return [{ mode: (entry.mode & 0o100) === 0 ? '100644' : '100755', name, id: entry.blob }];
    case 'link':
      return [{ mode: '120000', name, id: entry.blob }];
    case 'folder': {
      const id = trees.get(path);
      return id === undefined ? [] : [{ mode: '40000', name, id }];
    }
    case 'unkept':
      return [];
    default:
      return unreachable(entry);
  }
}

/** The one tree that names them all: the files, and beside them what git's trees cannot say. */
export function joinTree(parts: TreeParts, batch: ObjectBatch): TreeId {
  const items: readonly TreeItem[] = [
    { mode: '40000', name: FILES, id: parts.files },
    { mode: '100644', name: MANIFEST, id: parts.manifest },
  ];
  return treeId(batch.put('tree', encodeTree(items)));
}

interface TreeParts {
  readonly files: string;
  readonly manifest: string;
}

export function splitTree(items: readonly TreeItem[]): TreeParts | null {
  const [files, manifest] = [FILES, MANIFEST].map((wanted) => items.find(({ name }) => name === wanted)?.id);
  return files === undefined || manifest === undefined ? null : { files, manifest };
}

const FILES = 'files';
const MANIFEST = 'manifest';

/** Every entry of a tree with every folder, as it has to stand on the disk. */
export function readWholeTree(objects: ObjectStore, tree: TreeId): Map<BytePath, TreeEntry> {
  const { files, manifest } = openTree(objects, tree);
  const entries = new Map<BytePath, TreeEntry>();
  const folder = (path: BytePath): TreeEntry => ({ kind: 'folder', mode: manifestMode(manifest, path, 'folder') });
  const visit = (id: string, above: BytePath): void => {
    for (const { mode, name, id: item } of objects.readTree(id)) {
      const path = pathBelow(above, name);
      entries.set(path, mode === '40000' ? folder(path) : leafOf(mode, item, modeFor(manifest, path, mode)));
      if (mode === '40000') visit(item, path);
    }
  };
  visit(files, '');
  const more = [...[...manifest.emptyFolders].map((path) => [path, folder(path)] as const), ...unkeptOf(manifest)];
  for (const [path, entry] of more) {
    for (let at = folderOf(path); at !== '' && !entries.has(at); at = folderOf(at)) entries.set(at, folder(at));
    entries.set(path, entry);
  }
  return entries;
}

/** The same without the folders that go without saying. */
function readEntries(objects: ObjectStore, tree: TreeId): Map<BytePath, TreeEntry> {
  return withoutImpliedFolders(readWholeTree(objects, tree), openTree(objects, tree).manifest);
}

export function withoutImpliedFolders(whole: EntryMap, { emptyFolders }: TreeManifest): Map<BytePath, TreeEntry> {
  const entries = new Map<BytePath, TreeEntry>();
  for (const [path, entry] of whole) if (!isPlainFolder(entry) || emptyFolders.has(path)) entries.set(path, entry);
  return entries;
}

const PLAIN_FOLDER_MODE = 0o755;

export function isPlainFolder(entry: TreeEntry): boolean {
  return entry.kind === 'folder' && entry.mode === PLAIN_FOLDER_MODE;
}

interface OpenTree {
  readonly files: string;
  readonly manifest: TreeManifest;
  readonly manifestId: string;
}

export function openTree(objects: ObjectStore, tree: TreeId): OpenTree {
  const { files, manifest } = pathParts(objects, tree);
  return { files, manifestId: manifest, manifest: decodeManifest(objects.read(manifest).body) };
}

export function pathParts(objects: ObjectStore, tree: TreeId): TreeParts {
  if (!objects.has(tree)) objects.refresh();
  const parts = objects.has(tree) ? splitTree(objects.readTree(tree)) : null;
  if (parts !== null) return parts;
  throw new Fault('TREE_GONE', `The files recorded as ${tree} are not stored here.`, {
    hint: '`troupe prune` removes files that no run needs.',
    facts: { tree },
  });
}

function leafOf(itemMode: ItemMode, blob: string, mode: number): TreeEntry {
  return itemMode === '120000' ? { kind: 'link', blob } : { kind: 'file', mode, blob };
}

function modeFor(manifest: TreeManifest, path: BytePath, mode: ItemMode): number {
  return manifestMode(manifest, path, mode === '100755' ? 'program' : 'file');
}

export function manifestMode(manifest: TreeManifest, path: BytePath, kind: keyof TreeManifest['usual']): number {
  return manifest.modes.get(path) ?? manifest.usual[kind];
}

function unkeptOf(manifest: TreeManifest): readonly (readonly [BytePath, TreeEntry])[] {
  return [...manifest.unkept].map(([path, why]) => [path, { kind: 'unkept', why }]);
}

/**
 * What git's trees cannot say: full modes, empty folders, and what was there without being kept. Made from the entries
 * alone and in one order, so equal files have equal manifests.
 */
interface TreeManifest {
  /** The mode of every file, program and folder that is not named in `modes`: whichever is most common among them. */
  readonly usual: Readonly<Record<ModeClass, number>>;
  readonly modes: ReadonlyMap<BytePath, number>;
  readonly emptyFolders: ReadonlySet<BytePath>;
  readonly unkept: ReadonlyMap<BytePath, Unkept>;
}

export type ModeClass = 'file' | 'program' | 'folder';

export function classOf(entry: { readonly kind: 'file' | 'folder'; readonly mode: number }): ModeClass {
  if (entry.kind === 'folder') return 'folder';
  return (entry.mode & 0o100) === 0 ? 'file' : 'program';
}

/** Of all entries, every folder among them. */
export function makeManifest(entries: EntryMap): TreeManifest {
  const usual = usualModes(entries.values());
  const inhabited = new Set<BytePath>();
  const modes: [BytePath, number][] = [];
  const unkept: [BytePath, Unkept][] = [];
  for (const [path, entry] of entries) {
    inhabited.add(folderOf(path));
    if (entry.kind === 'unkept') unkept.push([path, entry.why]);
    else if (entry.kind !== 'link' && entry.mode !== usual[classOf(entry)]) modes.push([path, entry.mode]);
  }
  const empty = [...entries].filter(([path, { kind }]) => kind === 'folder' && !inhabited.has(path));
  return {
    usual,
    modes: new Map(modes.sort(byPath)),
    emptyFolders: new Set(empty.map(([path]) => path).sort()),
    unkept: new Map(unkept.sort(byPath)),
  };
}

function byPath([a]: readonly [BytePath, unknown], [b]: readonly [BytePath, unknown]): number {
  return a < b ? -1 : 1;
}

function usualModes(entries: Iterable<TreeEntry>): TreeManifest['usual'] {
  const counts: Record<ModeClass, Map<number, number>> = { file: new Map(), program: new Map(), folder: new Map() };
  for (const entry of entries) {
    if (entry.kind !== 'file' && entry.kind !== 'folder') continue;
    const count = counts[classOf(entry)];
    count.set(entry.mode, (count.get(entry.mode) ?? 0) + 1);
  }
  return {
    file: mostCommon(counts.file, 0o644),
    program: mostCommon(counts.program, 0o755),
    folder: mostCommon(counts.folder, 0o755),
  };
}

/** Of equally common ones the smaller number, so that there is one answer. */
function mostCommon(counts: ReadonlyMap<number, number>, otherwise: number): number {
  const [best] = [...counts].sort(([mode, count], [other, otherCount]) => otherCount - count || mode - other);
  return best?.[0] ?? otherwise;
}

interface ManifestFile {
  readonly format: 1;
  readonly usual: Readonly<Record<ModeClass, string>>;
  readonly modes: readonly (readonly [WrittenPath, string])[];
  readonly emptyFolders: readonly WrittenPath[];
  readonly unkept: readonly (readonly [WrittenPath, Unkept])[];
}

export function encodeManifest({ usual, modes, emptyFolders, unkept }: TreeManifest): Buffer {
  const file: ManifestFile = {
    format: 1,
    usual: { file: octal(usual.file), program: octal(usual.program), folder: octal(usual.folder) },
    modes: [...modes].map(([path, mode]) => [toWritten(path), octal(mode)] as const),
    emptyFolders: [...emptyFolders].map(toWritten),
    unkept: [...unkept].map(([path, why]) => [toWritten(path), why] as const),
  };
  return Buffer.from(`${JSON.stringify(file)}\n`);
}

const octal = (mode: number): string => mode.toString(8);

function decodeManifest(bytes: Buffer): TreeManifest {
  const file = JSON.parse(bytes.toString('utf8')) as ManifestFile | { readonly format: number };
  if (!isFirstFormat(file)) {
    throw new Fault(
      'STORE_NEWER',
      `The files were recorded in format ${file.format}, which is newer than this program.`,
      {
        hint: 'Use the version of Troupe that recorded them, or a later one.',
      },
    );
  }
  const { file: plain, program, folder } = file.usual;
  return {
    usual: { file: fromOctal(plain), program: fromOctal(program), folder: fromOctal(folder) },
    modes: new Map(file.modes.map(([path, mode]) => [fromWritten(path), fromOctal(mode)])),
    emptyFolders: new Set(file.emptyFolders.map(fromWritten)),
    unkept: new Map(file.unkept.map(([path, why]) => [fromWritten(path), why])),
  };
}

const isFirstFormat = (file: { readonly format: number }): file is ManifestFile => file.format === 1;
const fromOctal = (text: string): number => Number.parseInt(text, 8) & 0o777;

/** The differences between two trees. Equal folders are skipped while only content changed. */
export function compareTrees(objects: ObjectStore, before: TreeId, after: TreeId): readonly TreeChange[] {
  if (before === after) return [];
  const [old, now] = [openTree(objects, before), openTree(objects, after)];
  const contents = old.manifestId === now.manifestId ? contentChanges(objects, old, now) : null;
  const changes = contents ?? entryChanges(readEntries(objects, before), readEntries(objects, after));
  return [...changes].sort((a, b) => (a.path < b.path ? -1 : 1));
}

function* entryChanges(before: EntryMap, after: EntryMap): Generator<TreeChange> {
  for (const [path, entry] of before) {
    const now = after.get(path) ?? null;
    if (!isSameEntry(entry, now)) yield { path, before: entry, after: now };
  }
  for (const [path, entry] of after) if (!before.has(path)) yield { path, before: null, after: entry };
}

/**
 * With one manifest for both, and the same folders, only files and links can differ, and their modes are the manifest's.
 * Null where a folder came or went: then everything has to be looked at.
 */
function contentChanges(objects: ObjectStore, old: OpenTree, now: OpenTree): readonly TreeChange[] | null {
  const entryOf = (path: BytePath, item: TreeItem | undefined): TreeEntry | null =>
    item === undefined ? null : leafOf(item.mode, item.id, modeFor(old.manifest, path, item.mode));
  const changes: TreeChange[] = [];
  const folders: [string, string, BytePath][] = [[old.files, now.files, '']];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    const [before, after, above] = next;
    for (const [name, [was, is]] of differing(objects, before, after)) {
      const path = pathBelow(above, name);
      const [wasTree, isTree] = [treeOf(was), treeOf(is)];
      if (wasTree !== null && isTree !== null) folders.push([wasTree, isTree, path]);
      else if (wasTree !== null || isTree !== null) return null;
      else changes.push({ path, before: entryOf(path, was), after: entryOf(path, is) });
    }
  }
  return changes;
}

function treeOf(item: TreeItem | undefined): string | null {
  return item?.mode === '40000' ? item.id : null;
}

type Pair = [TreeItem | undefined, TreeItem | undefined];

function differing(objects: ObjectStore, before: string, after: string): readonly (readonly [string, Pair])[] {
  const pairs = new Map<string, Pair>();
  for (const item of objects.readTree(before)) pairs.set(item.name, [item, undefined]);
  for (const item of objects.readTree(after)) pairs.set(item.name, [pairs.get(item.name)?.[0], item]);
  return [...pairs].filter(([, [was, is]]) => was?.id !== is?.id || was?.mode !== is?.mode);
}
