import { isFault } from '../../core/model/fault.ts';
import type { ProjectChanged } from '../../core/record/files-fact.ts';
import { lookAtApply, planUndo, rollbackProject } from '../../workspace/changes/apply-trees.ts';
import type { Session } from '../runs/session.ts';
import { changeViews, changedPathText, type ChangeView } from '../../host/deliver/change-view.ts';
import { conflictView, standingInTheWay, type ConflictView } from '../../host/deliver/conflict-view.ts';
import type { RunId, TreeId } from '../../core/model/ids.ts';
import type { BytePath } from '../../workspace/byte-path.ts';
import type { TreeChange, TreeStore } from '../../workspace/store/port.ts';

export interface UndoneProject {
  readonly changed: readonly string[];
  /** Left alone, since the user changed the same meanwhile. */
  readonly conflicts: readonly ConflictView[];
}

interface Undoing {
  readonly run: RunId;
  readonly project: string;
  readonly store: TreeStore;
}

/** Puts the user's files back, path by path and line by line; a second try after a crash finds done what was done. */
export async function undoInProject(
  { host, world, by }: Session,
  { run, project, store }: Undoing,
  changes: readonly ProjectChanged[],
): Promise<UndoneProject> {
  const changed = new Set<string>();
  const conflicts: ConflictView[] = [];
  for (const change of changes) {
    const { how, before, after } = change;
    const present = await presentTree(world, project);
    const done = await rollbackProject(store, { before, after, project, ...(present === null ? {} : { present }) });
    for (const path of [...done.written, ...done.removed]) changed.add(changedPathText(path));
    const inTheWay = done.kind === 'conflict' ? done.conflicts.map(standingInTheWay) : [];
    const kept = [...done.unmerged.map(conflictView), ...inTheWay];
    conflicts.push(...kept);
    await host.note(run, {
      kind: 'project.changed',
      how: how === 'applied' ? 'rolled-back' : 'applied',
      before: after,
      after: before,
      kept: kept.map(({ path }) => path),
      by,
      ...(kept.length === 0 ? ofWhich(change) : {}),
    });
  }
  return { changed: [...changed].sort(), conflicts };
}

/** Null if the project has grown too large to read as a whole: the run's changes can still be undone. */
async function presentTree({ workspaces }: Session['world'], project: string): Promise<TreeId | null> {
  try {
    return (await workspaces.begin(project)).tree;
  } catch (error) {
    if (isFault(error) && error.code === 'PROJECT_TOO_LARGE') return null;
    throw error;
  }
}

/** Keeps the owner of the files for an undo of the undo. */
function ofWhich({ workspace, tree }: ProjectChanged): Pick<ProjectChanged, 'workspace' | 'tree'> {
  return workspace === undefined || tree === undefined ? {} : { workspace, tree };
}

export interface ProjectUndo {
  readonly files: readonly ChangeView[];
  readonly conflicts: readonly ConflictView[];
}

/** Previews the undo, each change on top of those undone before it. */
export async function previewUndo(
  { world }: Pick<Session, 'world'>,
  { project, store }: Omit<Undoing, 'run'>,
  changes: readonly ProjectChanged[],
): Promise<ProjectUndo> {
  if (changes.length === 0) return { files: [], conflicts: [] };
  const now = await presentTree(world, project);
  if (now === null) return await previewByFile({ project, store }, changes);
  const conflicts: ConflictView[] = [];
  let [first, present] = [now, now];
  for (const { before, after } of changes) {
    const plan = await planUndo(store, { before, after, present, project });
    conflicts.push(...plan.conflicts.map(conflictView));
    if (present === now) first = plan.present;
    present = plan.tree;
  }
  return { files: changeViews(await store.compare(first, present)), conflicts };
}

/** The same where each file goes back as a whole or not at all: what the newest change says of a path counts. */
async function previewByFile(
  { project, store }: Omit<Undoing, 'run'>,
  changes: readonly ProjectChanged[],
): Promise<ProjectUndo> {
  const files = new Map<BytePath, TreeChange>();
  const conflicts = new Map<BytePath, ConflictView>();
  for (const { before, after } of changes) {
    const isNew = ({ path }: { readonly path: BytePath }) => !files.has(path) && !conflicts.has(path);
    const outlook = await lookAtApply(store, { from: after, to: before, project });
    const inTheWay = outlook.conflicts.filter(isNew);
    for (const one of inTheWay) conflicts.set(one.path, standingInTheWay(one));
    for (const one of (await store.compare(after, before)).filter(isNew)) files.set(one.path, one);
  }
  return { files: changeViews([...files.values()]), conflicts: [...conflicts.values()] };
}
