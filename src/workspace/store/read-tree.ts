import { Fault } from '../../core/fault.ts';
import type { TreeId } from '../../core/ids.ts';
import type { BytePath } from '../byte-path.ts';
import { folderOf } from '../byte-path.ts';
import { splitTree } from './build-trees.ts';
import type { TreeParts } from './build-trees.ts';
import type { ItemMode } from './git-object.ts';
import type { ObjectStore } from './object-store.ts';
import type { TreeEntry } from './port.ts';
import { decodeManifest } from './tree-manifest.ts';
import type { TreeManifest } from './tree-manifest.ts';

/** Every entry of a tree with every folder, as it has to stand on the disk. */
export function readWholeTree(objects: ObjectStore, tree: TreeId): Map<BytePath, TreeEntry> {
  const { files, manifest } = openTree(objects, tree);
  const entries = new Map<BytePath, TreeEntry>();
  const folder = (path: BytePath): TreeEntry => ({ kind: 'folder', mode: manifestMode(manifest, path, 'folder') });
  const visit = (id: string, above: BytePath): void => {
    for (const { mode, name, id: item } of objects.readTree(id)) {
      const path = above === '' ? name : `${above}/${name}`;
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
export function readEntries(objects: ObjectStore, tree: TreeId): Map<BytePath, TreeEntry> {
  return withoutImpliedFolders(readWholeTree(objects, tree), openTree(objects, tree).manifest);
}

export function withoutImpliedFolders(
  whole: ReadonlyMap<BytePath, TreeEntry>,
  { emptyFolders }: TreeManifest,
): Map<BytePath, TreeEntry> {
  const entries = new Map<BytePath, TreeEntry>();
  for (const [path, entry] of whole) if (!isPlainFolder(entry) || emptyFolders.has(path)) entries.set(path, entry);
  return entries;
}

const PLAIN_FOLDER_MODE = 0o755;

export function isPlainFolder(entry: TreeEntry): boolean {
  return entry.kind === 'folder' && entry.mode === PLAIN_FOLDER_MODE;
}

export interface OpenTree {
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
  throw new Fault('TREE_GONE', `The files recorded as ${tree} are not kept here.`, {
    hint: 'What nobody needs any more is removed by `troupe prune`.',
    facts: { tree },
  });
}

export function leafOf(itemMode: ItemMode, blob: string, mode: number): TreeEntry {
  return itemMode === '120000' ? { kind: 'link', blob } : { kind: 'file', mode, blob };
}

export function modeFor(manifest: TreeManifest, path: BytePath, mode: ItemMode): number {
  return manifestMode(manifest, path, mode === '100755' ? 'program' : 'file');
}

export function manifestMode(manifest: TreeManifest, path: BytePath, kind: keyof TreeManifest['usual']): number {
  return manifest.modes.get(path) ?? manifest.usual[kind];
}

function unkeptOf(manifest: TreeManifest): readonly (readonly [BytePath, TreeEntry])[] {
  return [...manifest.unkept].map(([path, why]) => [path, { kind: 'unkept', why }]);
}
