import type { NotComparedFile, NotComparedFiles } from '../../protocol/web/changes-page.ts';
import type { NotCompared, WhyNotCompared } from '../../workspace/changes/comparable-changes.ts';
import { plainText } from '../../protocol/plain-text.ts';
import { pathText } from '../../host/deliver/change-view.ts';

/** What a comparison with a commit says nothing of, as `--json` tells it: how many, and the first of them. */
export function notComparedFiles(all: readonly NotCompared[]): NotComparedFiles {
  const some = all.slice(0, MAX_TOLD).map(({ path, why }): NotComparedFile => ({ path: pathText(path), why }));
  return { count: all.length, some };
}

const MAX_TOLD = 100;

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
