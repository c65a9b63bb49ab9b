import type { ChangesService } from '../../../tools/port.ts';
import type { Workspace } from '../../../workspace/port.ts';
import type { EffectContext } from '../../world.ts';
import { fileDiffs } from './file-diffs.ts';
import { asBytes } from './text-path.ts';
import { workDiffText } from './work-diff-text.ts';

/** The changes of a workspace since the run began: the user's own uncommitted work is in both. */
export function changesIn(context: EffectContext, place: Workspace): ChangesService | undefined {
  const { world, places, snapshot } = context;
  if (!world.workspaces.keepsFiles) return undefined;
  return async ({ path, isStat }) => {
    const [before, after] = await Promise.all([places.began(context), place.record()]);
    const all = await fileDiffs(await world.workspaces.store(snapshot.project), { before, after });
    const files = all.filter((file) => path === null || file.path === path || file.path.startsWith(`${path}/`));
    const patch = isStat ? '' : files.map(({ text }) => text).join('\n');
    const stat = files.map(({ path: name, added, removed, isBinary }) => ({
      path: asBytes(name),
      added,
      removed,
      isBinary,
    }));
    const text = workDiffText({ changes: stat, stat: { files: stat }, patch: Buffer.from(patch) }).trimEnd();
    return { text, paths: files.map((file) => file.path) };
  };
}
