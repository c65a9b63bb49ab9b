import type { RunId, TreeId } from '../../core/ids.ts';
import { changeViews } from '../../host/deliver/change-view.ts';
import type { RunInfo } from '../../journal/port.ts';
import type { WorkspaceSettings } from '../../workspace/port.ts';
import { createWorkspaces } from '../../workspace/workspaces.ts';
import { openProject } from '../config/project.ts';
import { binarySizes, NO_SIZES, withSizes, type BinarySizes } from '../results/binary-sizes.ts';
import { notComparedFiles } from '../results/not-compared.ts';
import { runDiff, type DiffRequest, type RunDiff } from '../results/run-diff.ts';
import type { ChangesPage } from '../../protocol/web/changes-page.ts';
import type { Looking } from './looking.ts';
import { wirePatch } from './wire-patch.ts';

export interface RunChanges {
  readonly diff: RunDiff;
  /** Of files that are no text, where they were asked for. */
  readonly sizes: BinarySizes;
}

/** What a run changed, between two moments of it. */
export async function changesOf(
  looking: Looking,
  { run, project, driven }: RunInfo,
  { hasSizes, ...request }: DiffRequest & { readonly hasSizes: boolean },
): Promise<RunChanges> {
  const { store } = looking;
  const workspaces = createWorkspaces({ home: store.home, settings: await settingsFor(looking, request, project) });
  try {
    const trees = await workspaces.store(project);
    const projectTree = async (): Promise<TreeId> => (await workspaces.begin(project)).tree;
    const diff = await runDiff({ request, store, run, trees, projectTree, isDriven: driven });
    return { diff, sizes: hasSizes ? await binarySizes(trees, diff) : NO_SIZES };
  } finally {
    await workspaces.close();
  }
}

/** What of the project counts as its files is the project's to say. */
async function settingsFor({ caller }: Looking, { project }: DiffRequest, folder: string): Promise<WorkspaceSettings> {
  return project === true ? (await openProject({ ...caller, folder })).config.workspaces : {};
}

/** For programs. */
export function changesLine(run: RunId, { diff, sizes }: RunChanges): ChangesPage {
  const { workspace, folder, before, after, stat, hasMore, patch } = diff;
  const { added, removed } = stat;
  return {
    kind: 'diff',
    run,
    workspace,
    folder,
    before,
    after,
    files: withSizes(changeViews(diff.changes, stat), sizes),
    added,
    removed,
    hasMore,
    ...againstOf(diff),
    ...wirePatch(patch),
  };
}

function againstOf({ against }: RunDiff): Pick<ChangesPage, 'against' | 'notCompared'> {
  if (against === undefined) return {};
  const { ref, commit, notCompared } = against;
  return {
    against: { ref, commit },
    ...(notCompared.length === 0 ? {} : { notCompared: notComparedFiles(notCompared) }),
  };
}
