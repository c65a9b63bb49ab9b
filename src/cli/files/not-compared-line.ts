import type { NotComparedFile, NotComparedFiles } from '../../protocol/web/changes-page.ts';
import type { WhyNotCompared } from '../../workspace/changes/comparable-changes.ts';
import { plainText } from '../../protocol/plain-text.ts';

/** `Not compared: 2 that the project ignores: a, b; 1 in a repository inside the project: sub/c`. */
export function notComparedLine({ count, some }: NotComparedFiles): string {
  const groups = [...Map.groupBy(some, ({ why }) => why)].map(([why, files]) => groupText(why, files));
  const rest = count - some.length;
  return `Not compared: ${[...groups, ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ')}`;
}

const MAX_NAMES = 5;

function groupText(why: WhyNotCompared, files: readonly NotComparedFile[]): string {
  const names = files.slice(0, MAX_NAMES).map(({ path }) => plainText(path));
  return `${files.length} ${WORDS[why]}: ${[...names, ...(files.length > MAX_NAMES ? ['…'] : [])].join(', ')}`;
}

const WORDS: Readonly<Record<WhyNotCompared, string>> = {
  ignored: 'that the project ignores',
  'left-out': 'that no workspace holds',
  sparse: 'that are not checked out',
  submodule: 'of repositories inside the project',
  filter: 'that an outside program converts for git',
  missing: 'that this clone does not have, or that are too large',
};
