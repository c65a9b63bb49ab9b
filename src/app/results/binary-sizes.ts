import type { TreeDiff } from '../../workspace/changes/diff-trees.ts';
import type { TreeEntry, TreeStore } from '../../workspace/store/port.ts';
import { changedPathText, type ChangeView } from '../../host/deliver/change-view.ts';

/** Of files that are no text: how many bytes before and after, since there are no lines to tell of. */
export type BinarySizes = ReadonlyMap<string, readonly [number | null, number | null]>;

export const NO_SIZES: BinarySizes = new Map();

export async function binarySizes(
  store: Pick<TreeStore, 'sizeOf'>,
  { changes, stat }: Pick<TreeDiff, 'changes' | 'stat'>,
): Promise<BinarySizes> {
  const binary = new Set(stat.files.filter(({ isBinary }) => isBinary).map(({ path }) => path));
  const sizes = new Map<string, readonly [number | null, number | null]>();
  const sizeOf = async (entry: TreeEntry | null): Promise<number | null> =>
    entry?.kind === 'file' ? await store.sizeOf(entry.blob) : null;
  for (const { path, before, after } of changes) {
    if (binary.has(path)) sizes.set(changedPathText(path), [await sizeOf(before), await sizeOf(after)]);
  }
  return sizes;
}

export const withSizes = (views: readonly ChangeView[], sizes: BinarySizes): readonly ChangeView[] =>
  views.map((view) => {
    const bytes = sizes.get(view.path);
    return bytes === undefined ? view : { ...view, bytes };
  });
