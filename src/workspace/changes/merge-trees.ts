import type { TreeId } from '../../core/ids.ts';
import type { TreeStore } from '../store/port.ts';
import type { Conflict } from './conflict.ts';
import { followRenames } from './follow-renames.ts';
import type { Rename, ThreeTrees } from './follow-renames.ts';
import type { MergeLabels } from './merge-content.ts';
import type { LeftOut } from './merge-entries.ts';
import { mergeEntries } from './merge-entries.ts';

/**
 * Merges what two sides made of one tree: bytes, modes, links and empty folders by the same rule. Nobody's settings,
 * attributes or merge programs have a say. A conflict is an answer: both sides, and a tree with marks to work on.
 */
export async function mergeTrees(store: TreeStore, options: MergeOptions): Promise<MergedTrees> {
  const { renames, ...sides } = await followRenames(store, options);
  const labels = options.labels ?? DEFAULT_LABELS;
  const { entries, conflicts, leftOut } = await mergeEntries({ ...sides, labels }, store);
  const tree = await store.write(entries);
  const also = { tree, leftOut, renames };
  return conflicts.length === 0 ? { kind: 'clean', ...also } : { kind: 'conflict', conflicts, ...also };
}

export interface MergeOptions extends ThreeTrees {
  readonly labels?: MergeLabels;
}

export type MergedTrees =
  | ({ readonly kind: 'clean' } & MergedTree)
  /** The tree then is for handing back to an author, not for applying. */
  | ({ readonly kind: 'conflict'; readonly conflicts: readonly Conflict[] } & MergedTree);

interface MergedTree {
  readonly tree: TreeId;
  readonly leftOut: readonly LeftOut[];
  /** Files whose changes were merged under the new name that the other side gave them. */
  readonly renames: readonly Rename[];
}

const DEFAULT_LABELS: MergeLabels = { base: 'before', ours: 'ours', theirs: 'theirs' };
