import type { RunId, TreeId } from '../../core/model/ids.ts';
import { changedPathText, type ChangeView, changeViews } from '../../host/deliver/change-view.ts';
import type { RunInfo } from '../../journal/port.ts';
import type { WorkspaceSettings } from '../../workspace/port.ts';
import { createWorkspaces } from '../../workspace/workspaces.ts';
import { openProject } from '../config/project.ts';
import { type DiffRequest, runDiff, type RunDiff } from '../results/run-diff.ts';
import type { ChangesPage, NotComparedFile, NotComparedFiles } from '../../protocol/web/changes-page.ts';
import type { Looking } from '../world/store.ts';
import type { TreeDiff } from '../../workspace/changes/diff-trees.ts';
import type { TreeEntry, TreeStore } from '../../workspace/store/port.ts';
import type { NotCompared } from '../../workspace/changes/branch-changes.ts';

/** Of files that are no text: how many bytes before and after, since there are no lines to tell of. */
type BinarySizes = ReadonlyMap<string, readonly [number | null, number | null]>;

const NO_SIZES: BinarySizes = new Map();

async function binarySizes(
  store: Pick<TreeStore, 'sizeOf'>,
  { changes, stat }: Pick<TreeDiff, 'changes' | 'stat'>,
): Promise<BinarySizes> {
  const binary = new Set(stat.files.filter(({ isBinary }) => isBinary).map(({ path }) => path));
  const sizes = new Map<string, readonly [number | null, number | null]>();
  const sizeOf = async (entry: TreeEntry | null): Promise<number | null> =>
    entry?.kind === 'file' ? await store.sizeOf(entry.blob) : null;
  for (const { path, before, after } of changes) {
    if (binary.has(path)) sizes.set(changedPathText(path), [await sizeOf(before), await sizeOf(after)]);
  }
  return sizes;
}

const withSizes = (views: readonly ChangeView[], sizes: BinarySizes): readonly ChangeView[] =>
  views.map((view) => {
    const bytes = sizes.get(view.path);
    return bytes === undefined ? view : { ...view, bytes };
  });

/** Files that a comparison with a commit leaves out, for `--json`: their number, and the first of them. */
export function notComparedFiles(all: readonly NotCompared[]): NotComparedFiles {
  const some = all.slice(0, MAX_TOLD).map(({ path, why }): NotComparedFile => ({ path: changedPathText(path), why }));
  return { count: all.length, some };
}

const MAX_TOLD = 100;

/** Bytes that are no text go as such. */
export function wirePatch(patch: Buffer): { readonly patch: string } | { readonly patchBase64: string } {
  const text = patch.toString('utf8');
  return Buffer.from(text, 'utf8').equals(patch) ? { patch: text } : { patchBase64: patch.toString('base64') };
}

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
  const settings = await settingsFor(looking, request, project);
  const workspaces = createWorkspaces({ home: store.home, shared: store.files, settings });
  try {
    const trees = await workspaces.store(project);
    const projectTree = async (): Promise<TreeId> => (await workspaces.begin(project)).tree;
    const diff = await runDiff({ request, store, run, trees, projectTree, isDriven: driven });
    return { diff, sizes: hasSizes ? await binarySizes(trees, diff) : NO_SIZES };
  } finally {
    await workspaces.close();
  }
}

/** The project's own settings decide which of its files count. */
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
