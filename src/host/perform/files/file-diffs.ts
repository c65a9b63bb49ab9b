import type { TreeId } from '../../../core/model/ids.ts';
import type { BytePath } from '../../../workspace/byte-path.ts';
import { diffTrees, type TreePair } from '../../../workspace/changes/diff-trees.ts';
import type { TreeChange, TreeEntry, TreeStore } from '../../../workspace/store/port.ts';
import { parsePatch, type FilePatch, type Hunk } from './parse-patch.ts';
import { asText } from './text-path.ts';

/** The change of one file. */
export interface FileDiff {
  readonly path: string;
  readonly how: 'added' | 'deleted' | 'changed';
  readonly added: number;
  readonly removed: number;
  /** It has no lines to show: no text, or far too large. */
  readonly isBinary: boolean;
  /** The size now, or before it was deleted. */
  readonly bytes: number;
  readonly text: string;
  readonly hunks: readonly Hunk[];
}

/**
 * The changes of an implementation, in the order of their paths. Git only sees changed files of a readable size, so a diff
 * of 50 MB costs nothing.
 */
export function fileDiffs(store: TreeStore, trees: TreePair): Promise<readonly FileDiff[]> {
  const known = KNOWN.get(store) ?? new Map<string, Promise<readonly FileDiff[]>>();
  KNOWN.set(store, known);
  const key = `${trees.before} ${trees.after}`;
  const diffs = known.get(key) ?? makeDiffs(store, trees);
  known.delete(key);
  known.set(key, diffs);
  diffs.catch(() => known.delete(key));
  for (const [oldest] of known) if (known.size > MOST_KNOWN) known.delete(oldest);
  return diffs;
}

/** Trees never change, and checks read the same diffs that reviewers are shown next. */
const KNOWN = new WeakMap<TreeStore, Map<string, Promise<readonly FileDiff[]>>>();
const MOST_KNOWN = 4;

async function makeDiffs(store: TreeStore, trees: TreePair): Promise<readonly FileDiff[]> {
  const changes = (await store.compare(trees.before, trees.after)).filter(isFile);
  const sized: Sized[] = [];
  for (const change of changes) sized.push({ change, ...(await sizesOf(store, change)) });
  const shown = showable(sized);
  const compared = shown.size === sized.length ? trees : await treesWith(store, shown);
  const { stat, patch } = await diffTrees(store, compared, { patch: 'read' });
  const patches = parsePatch(patch);
  const lines = new Map(stat.files.map((file, at) => [file.path, { ...file, patch: patches[at] }]));
  return sized.map(({ change, bytes }) => {
    const found = lines.get(change.path);
    const { added, removed, isBinary } = found ?? { added: 0, removed: 0, isBinary: !shown.has(change) };
    const { text, hunks } = isBinary ? NO_PATCH : (found?.patch ?? NO_PATCH);
    return { path: asText(change.path), how: howOf(change), added, removed, isBinary, bytes, text, hunks };
  });
}

const NO_PATCH: FilePatch = { text: '', hunks: [] };

const hasContent = (entry: TreeEntry | null): boolean => entry !== null && entry.kind !== 'folder';

const isFile = ({ before, after }: TreeChange): boolean => hasContent(before) || hasContent(after);

function howOf({ before, after }: TreeChange): FileDiff['how'] {
  if (!hasContent(before)) return 'added';
  return hasContent(after) ? 'changed' : 'deleted';
}

interface Sized {
  readonly change: TreeChange;
  readonly bytes: number;
  readonly both: number;
}

async function sizesOf(store: TreeStore, { before, after }: TreeChange): Promise<Omit<Sized, 'change'>> {
  const [was, is] = [await sizeOf(store, before), await sizeOf(store, after)];
  return { bytes: is ?? was ?? 0, both: (was ?? 0) + (is ?? 0) };
}

async function sizeOf(store: TreeStore, entry: TreeEntry | null): Promise<number | null> {
  return entry?.kind === 'file' || entry?.kind === 'link' ? await store.sizeOf(entry.blob) : null;
}

/** More of one file, or of all of them, is not worth reading. */
const MOST_FILE_BYTES = 1024 * 1024;
const MOST_BYTES = 8 * 1024 * 1024;

/** The largest are left out first. */
function showable(sized: readonly Sized[]): ReadonlySet<TreeChange> {
  const shown = new Set<TreeChange>();
  let total = 0;
  for (const { change, both } of sized.toSorted((a, b) => a.both - b.both)) {
    total += both;
    if (both > MOST_FILE_BYTES || total > MOST_BYTES) break;
    if (change.before?.kind !== 'unkept' && change.after?.kind !== 'unkept') shown.add(change);
  }
  return shown;
}

async function treesWith(store: TreeStore, shown: ReadonlySet<TreeChange>): Promise<TreePair> {
  const [before, after] = await Promise.all([treeWith(store, shown, 'before'), treeWith(store, shown, 'after')]);
  return { before, after };
}

async function treeWith(store: TreeStore, shown: ReadonlySet<TreeChange>, side: 'before' | 'after'): Promise<TreeId> {
  const entries = new Map<BytePath, TreeEntry>();
  for (const change of shown) {
    const entry = change[side];
    if (entry !== null && entry.kind !== 'folder') entries.set(change.path, entry);
  }
  return await store.write(entries);
}
