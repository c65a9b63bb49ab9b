import type { TreeId } from '../../../core/model/ids.ts';
import { shownPath } from '../../../lib/confined-path.ts';
import type { TreeStore } from '../../../workspace/store/port.ts';
import type { LoggedMerge } from './merge-log.ts';
import type { MergeTrees } from './merge-sides.ts';

/** What the engine knows about a refused merge: whose work was joined with whose, and in which files. */
export interface MergeFacts {
  readonly author: string;
  /** Authors whose work was merged since this author began; empty if only the target itself changed. */
  readonly others: readonly string[];
  readonly files: {
    readonly both: readonly string[];
    readonly author: readonly string[];
    readonly others: readonly string[];
  };
}

export async function mergeFacts(
  store: TreeStore,
  trees: Pick<MergeTrees, 'base' | 'own' | 'ours'>,
  { author, siblings }: { readonly author: string; readonly siblings: readonly LoggedMerge[] },
): Promise<MergeFacts> {
  const [mine, theirs] = [await changed(store, trees.base, trees.own), await changed(store, trees.base, trees.ours)];
  const both = mine.filter((path) => theirs.includes(path));
  return {
    author,
    others: [...new Set(siblings.map((one) => one.author))].filter((name) => name !== author),
    files: {
      both,
      author: mine.filter((path) => !both.includes(path)),
      others: theirs.filter((path) => !both.includes(path)),
    },
  };
}

async function changed(store: TreeStore, before: TreeId, after: TreeId): Promise<readonly string[]> {
  const changes = await store.compare(before, after);
  return changes.slice(0, MOST_KEPT).map(({ path }) => shownPath(Buffer.from(path, 'latin1')));
}

/** A merge of thousands of files is cut in records. */
const MOST_KEPT = 500;

/** Names the other authors, for a sentence. */
export const othersText = ({ others }: Pick<MergeFacts, 'others'>): string =>
  others.length === 0 ? 'others' : listed(others, others.length === 1 ? '' : ' and ');

const MOST_NAMED = 10;

/** A list for one line, cut if it gets long. */
export function listed(names: readonly string[], last = ', '): string {
  if (names.length > MOST_NAMED)
    return `${names.slice(0, MOST_NAMED).join(', ')} and ${names.length - MOST_NAMED} more`;
  if (last === ', ' || names.length < 2) return names.join(', ');
  return `${names.slice(0, -1).join(', ')}${last}${names.at(-1) ?? ''}`;
}
