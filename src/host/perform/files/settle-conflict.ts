import type { OpenConflict } from '../../../core/record/files-fact.ts';
import { shownPath } from '../../../lib/confined-path.ts';
import type { ConflictService } from '../../../tools/port.ts';
import type { ConflictKind, ConflictSide } from '../../../workspace/changes/conflict.ts';
import { takeSide } from '../../../workspace/changes/plan-apply.ts';
import { stillOpen } from './open-conflicts.ts';
import type { EffectContext } from '../../world.ts';
import type { WorkspaceWriter } from './workspace-writer.ts';

/** Lets an author say whose version of a path counts, if a merge found two and could put markers into neither. */
export function conflictService({ world, snapshot }: EffectContext, writing: WorkspaceWriter): ConflictService {
  return {
    settle: async (path, take) => {
      const store = await world.workspaces.store(snapshot.project);
      await writing.name('work');
      const { open, tree, base } = writing.files;
      const still = await stillOpen(store, writing.files);
      const settled = still.find((one) => shown(one) === path);
      if (open === undefined || settled === undefined) return { isSettled: false, open: still.map(shown) };
      const left = still.filter((one) => one !== settled);
      const rest = { open: left.length === 0 ? null : { ...open, paths: left } };
      if (take === 'mine') writing.recordChange({ tree, why: 'work', ...rest });
      else {
        const taken = await takeSide(store, tree, [{ ...sideOf(settled), from: base }]);
        await writing.restoreTree(taken, { why: 'work', ...rest });
      }
      return { isSettled: true, open: left.map(shown) };
    },
  };
}

const sideOf = ({ path, kind, other }: OpenConflict) => ({
  path,
  kind: kind as ConflictKind,
  side: other as ConflictSide | null,
});

const shown = ({ path }: OpenConflict): string => shownPath(Buffer.from(path, 'latin1'));
