import type { SkippedFiles, SkippedWhy } from '../../core/record/files-fact.ts';
import { plainText } from '../../protocol/plain-text.ts';

/** Files of the project that are in no workspace, with the reason: `2 special files: a.sock, b.fifo; 1 file that cannot be read: key.pem`. */
export const leftOutText = (skipped: SkippedFiles): string =>
  filesByReason(skipped, (why, count) => MANY[why][count === 1 ? 0 : 1]);

interface FilesWithReasons<Why> {
  readonly count: number;
  /** The first of them. */
  readonly some: readonly { readonly path: string; readonly why: Why }[];
}

/** The first files of each reason, and how many more there are. */
export function filesByReason<Why>(
  { count, some }: FilesWithReasons<Why>,
  words: (why: Why, count: number) => string,
): string {
  const groups = [...Map.groupBy(some, ({ why }) => why)].map(([why, files]) => {
    const names = files.slice(0, MAX_NAMES).map(({ path }) => plainText(path));
    return `${files.length} ${words(why, files.length)}: ${[...names, ...(files.length > MAX_NAMES ? ['…'] : [])].join(', ')}`;
  });
  const rest = count - some.length;
  return [...groups, ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ');
}

/** The sentence for a person who watches a run begin. */
export function leftOutLine(skipped: SkippedFiles): string {
  return `Left out of the workspaces: ${leftOutText(skipped)}`;
}

/** Files that a rollback keeps, in place or renamed. */
export function stayingLines({ workspace, stays }: StayingFiles): readonly string[] {
  const lines = stays
    .slice(0, MAX_NAMES)
    .map((path) => `${plainText(path)} stays in the workspace ${workspace}: ${STAYS}`);
  return stays.length > MAX_NAMES ? [...lines, `… and ${stays.length - MAX_NAMES} more stay`] : lines;
}

interface StayingFiles {
  readonly workspace: string;
  readonly stays: readonly string[];
}

const STAYS =
  'larger than workspaces.largest_file, so no record holds it. Where a file comes back it is renamed to NAME.kept.';

/** Why something that a run made is not among what it hands over. */
export function whyLeftOut(why: string): string {
  return Object.hasOwn(ONE, why) ? `not brought along: ${ONE[why as SkippedWhy]}` : why;
}

const ONE: Readonly<Record<SkippedWhy, string>> = {
  special: 'a special file (pipe, socket or device)',
  'too-large': 'larger than workspaces.largest_file; it stays in the workspace of the run',
  unreadable: 'it cannot be read',
  'too-deep': 'it lies too many folders deep',
  'git-name': 'it has a name that belongs to git',
};

const MANY: Readonly<Record<SkippedWhy, readonly [string, string]>> = {
  special: ['special file', 'special files'],
  'too-large': ['file larger than workspaces.largest_file', 'files larger than workspaces.largest_file'],
  unreadable: ['path that cannot be read', 'paths that cannot be read'],
  'too-deep': ['folder that lies too deep', 'folders that lie too deep'],
  'git-name': ['name that belongs to git', 'names that belong to git'],
};

const MAX_NAMES = 5;
