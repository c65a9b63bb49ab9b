import type { TreeId } from '../../core/ids.ts';
import type { TreeStore } from '../store/port.ts';
import { openTreeStore } from '../store/tree-store.ts';

/**
 * Puts a tree into an empty folder that is thrown away soon. A store remembers every folder it has dealt with, and writes down
 * what it remembers a little later; so this is done by one of its own, which has forgotten everything when this resolves.
 */
export async function putTree(store: TreeStore, tree: TreeId, options: PutTreeOptions): Promise<void> {
  const { folder, index, signal } = options;
  const own = await openTreeStore(store.gitDir);
  try {
    const also = signal === undefined ? {} : { signal };
    await own.restore(tree, folder, { index, leaveOut: () => false, durable: false, ...also });
  } finally {
    await own.close();
  }
}

export interface PutTreeOptions {
  readonly folder: string;
  /** Removed by the caller together with the folder. */
  readonly index: string;
  readonly signal?: AbortSignal;
}
