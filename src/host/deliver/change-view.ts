import { shownPath } from '../../lib/confined-path.ts';
import { type BytePath, foldersAbove } from '../../workspace/byte-path.ts';
import type { DiffStat, FileStat, TreeDiff } from '../../workspace/changes/diff-trees.ts';
import type { TreeChange, TreeEntry } from '../../workspace/store/port.ts';

/** One changed path, as `--json` prints it and as lists for people are made from. */
export interface ChangeView {
  readonly path: string;
  readonly change: 'added' | 'deleted' | 'modified' | 'mode' | 'type';
  readonly kind: TreeEntry['kind'];
  /** Lines; left out where they were not counted. */
  readonly added?: number;
  readonly removed?: number;
  readonly isBinary?: true;
  /** Before and after; only for files without text, and only on request. */
  readonly bytes?: readonly [number | null, number | null];
  /** Before and after, if it changed. */
  readonly mode?: readonly [string, string];
}

export function changeViews(changes: readonly TreeChange[], stat: DiffStat = NO_STAT): readonly ChangeView[] {
  const stats = new Map(stat.files.map((file) => [file.path, file]));
  return withoutImplied(changes).map((change) => ({ ...changeView(change), ...countsOf(stats.get(change.path)) }));
}

/** The changes that a patch cannot express. */
export function viewsBeyondPatch({ changes, stat, beyondPatch }: TreeDiff): readonly ChangeView[] {
  const paths = new Set(beyondPatch.map(({ path }) => changedPathText(path)));
  return changeViews(changes, stat).filter(({ path }) => paths.has(path));
}

const NO_STAT: DiffStat = { files: [], added: 0, removed: 0 };

/** A folder that only became empty or filled is implied by its files. */
function withoutImplied(changes: readonly TreeChange[]): readonly TreeChange[] {
  const filled = new Set(changes.flatMap(({ path }) => foldersAbove(path)));
  return changes.filter(({ path, before, after }) => {
    const isFolder = (before ?? after)?.kind === 'folder' && (before === null || after === null);
    return !isFolder || !filled.has(path);
  });
}

function changeView({ path, before, after }: TreeChange): ChangeView {
  const mode = modesOf(before, after);
  return {
    path: changedPathText(path),
    change: whatHappened(before, after),
    kind: after?.kind ?? before?.kind ?? 'file',
    ...(mode === null ? {} : { mode }),
  };
}

/** A path that is safe to print anywhere. */
export const changedPathText = (path: BytePath): string => shownPath(Buffer.from(path, 'latin1'));

function whatHappened(before: TreeEntry | null, after: TreeEntry | null): ChangeView['change'] {
  if (before === null) return 'added';
  if (after === null) return 'deleted';
  if (before.kind !== after.kind) return 'type';
  return contentOf(before) === contentOf(after) ? 'mode' : 'modified';
}

const contentOf = (entry: TreeEntry): string | null => ('blob' in entry ? entry.blob : null);

function modesOf(before: TreeEntry | null, after: TreeEntry | null): readonly [string, string] | null {
  if (before === null || after === null || !('mode' in before) || !('mode' in after)) return null;
  return before.mode === after.mode ? null : [octal(before.mode), octal(after.mode)];
}

const octal = (mode: number): string => mode.toString(8).padStart(3, '0');

function countsOf(stat: FileStat | undefined): Partial<ChangeView> {
  if (stat === undefined) return {};
  return stat.isBinary ? { isBinary: true } : { added: stat.added, removed: stat.removed };
}
