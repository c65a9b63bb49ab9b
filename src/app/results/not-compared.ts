import type { NotComparedFile, NotComparedFiles } from '../../protocol/web/changes-page.ts';
import type { NotCompared } from '../../workspace/changes/comparable-changes.ts';
import { changedPathText } from '../../host/deliver/change-view.ts';

/** What a comparison with a commit says nothing of, as `--json` tells it: how many, and the first of them. */
export function notComparedFiles(all: readonly NotCompared[]): NotComparedFiles {
  const some = all.slice(0, MAX_TOLD).map(({ path, why }): NotComparedFile => ({ path: changedPathText(path), why }));
  return { count: all.length, some };
}

const MAX_TOLD = 100;
